export { type CountTable, createCountTable, DETAILS } from './count-table.ts'
export {
  activeHalf,
  changeHalf,
  countedRows,
  type CountedRow,
  emptyHalf,
  isEmptyHalf,
} from './counted-rows.ts'
export { countedBy, QueryCounter } from './query-counter.ts'
