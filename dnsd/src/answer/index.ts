export { answer, type Outcome } from './answer.ts'
export type { Query } from './query.ts'
