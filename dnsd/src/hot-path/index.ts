export { ANSWER_LIMIT_BYTES } from './compose.ts'
export { HotPath } from './hot-path.ts'
export type { WaitingPackets } from './look-ahead.ts'
export type { PlainQuestion } from './question.ts'
