export { type CountTable, createCountTable, DETAILS } from './count-table.ts'
export {
  activeHalf,
  changeHalf,
  countedNames,
  type CountedName,
  type Dimension,
  DIMENSIONS,
  emptyHalf,
  isEmptyHalf,
} from './counted-names.ts'
export { createLiveMemory, type LiveQuery, LiveRing } from './live-ring.ts'
export { countedBy, QueryCounter } from './query-counter.ts'
