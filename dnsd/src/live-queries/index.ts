export { type LiveEvents, LiveFeed } from './live-feed.ts'
