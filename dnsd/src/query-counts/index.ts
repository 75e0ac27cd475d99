export { type CountTable, createCountTable, type Detail, DETAILS } from './count-table.ts'
export {
  activeHalf,
  changeHalf,
  countedRows,
  type CountedRow,
  emptyHalf,
  isEmptyHalf,
} from './counted-rows.ts'
export { countedBy, type CountedAddress, QueryCounter } from './query-counter.ts'
