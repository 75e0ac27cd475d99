export { type CountTable, createCountTable, DETAILS } from './count-table.ts'
export { activeHalf, changeHalf, emptyHalf, type Half, isEmptyHalf } from './count-halves.ts'
export {
  type CountLines,
  linesOf,
  linesOfHalves,
  type LineTotals,
  namesIn,
  type ReadLines,
} from './count-lines.ts'
export { type CountedName, COUNTERS } from './counted-name.ts'
export { createLiveMemory, type LiveQuery, LiveRing, WATCHED_LIMIT } from './live-ring.ts'
export { countedBy, QueryCounter } from './query-counter.ts'
