export { type LiveEvents, LiveFeed, type LiveThread } from './live-feed.ts'
