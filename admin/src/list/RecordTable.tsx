/**
 * A page of records as a table. On phones each row is a card. Cells are plain elements, because a page
 * has hundreds of them and their cost slows scrolling. The first cell is a link: unlike a clickable row,
 * it works with the keyboard, in a new tab and with a screen reader.
 */
import type { ReactNode } from 'react'
import { type RaRecord, useListContext } from 'react-admin'

export interface Column<Row> {
  /** The field that the API sorts by, and the key of the column. */
  readonly field: string
  readonly label: string
  readonly isSortable?: boolean
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean
  /** The position on a phone's card; half of the width by default. */
  readonly phone?: 'whole' | 'corner' | 'hidden'
  readonly cell: (row: Row) => ReactNode
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>
}

function HeadCell<Row>({ column: { field, label, isSortable, isNumber } }: HeadCellProps<Row>) {
  const { sort, setSort } = useListContext()
  const isSorted = sort.field === field
  const ascends = sort.order === 'ASC'
  if (!isSortable) {
    return (
      <th role="columnheader" scope="col" data-number={isNumber}>
        {label}
      </th>
    )
  }
  return (
    <th
      role="columnheader"
      scope="col"
      data-number={isNumber}
      aria-sort={isSorted ? (ascends ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        onClick={() => setSort({ field, order: isSorted && ascends ? 'DESC' : 'ASC' })}
      >
        {label}
        <span aria-hidden className="sort-mark">
          {isSorted ? (ascends ? '↑' : '↓') : ''}
        </span>
      </button>
    </th>
  )
}

const SKELETON_ROWS = Array.from({ length: 8 }, (_, n) => n)

/** Placeholder rows, as high as the real ones, shown after a short delay. */
function Skeleton({ columns }: { columns: number }) {
  return SKELETON_ROWS.map((row) => (
    <tr key={row} role="row" className="skeleton" aria-hidden>
      {Array.from({ length: columns }, (_, cell) => (
        <td key={cell} role="cell">
          <span />
        </td>
      ))}
    </tr>
  ))
}

interface RecordTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
}

export function RecordTable<Row extends RaRecord>({ caption, columns }: RecordTableProps<Row>) {
  const { data, isPending, isFetching } = useListContext<Row>()
  return (
    <table role="table" className="records" aria-busy={isFetching}>
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <HeadCell key={column.field} column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {isPending && <Skeleton columns={columns.length} />}
        {data?.map((row) => (
          <tr key={row.id} role="row">
            {columns.map(({ field, label, isNumber, phone, cell }) => (
              <td
                key={field}
                role="cell"
                data-label={label}
                data-number={isNumber}
                data-phone={phone}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
