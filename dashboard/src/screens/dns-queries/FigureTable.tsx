/** What a picture shows as a table, to read, to copy and to save. */
import { csvLine } from '../../api/csv.ts'
import { count } from '@homing/theme/formats'
import { COPY_TEXTS, useCopy } from '@homing/theme/parts/use-copy.ts'
import { useRef, useState } from 'react'
import { saveFile } from '../../components/save-file.ts'

type Cell = string | number | null

export interface FigureColumn {
  readonly title: string
  /** The text of a cell in the page; files have the cell itself. Default: numbers with separators. */
  readonly show?: (cell: Cell) => string
}

interface FigureTableProps {
  /** What the picture shows. */
  readonly label: string
  /** The name of the files, without the extension. */
  readonly fileName: string
  /** The first one names its row. */
  readonly columns: readonly FigureColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

const shown = (cell: Cell): string => {
  if (cell === null) return 'No data'
  return typeof cell === 'number' ? count(cell) : cell
}

/** The file of exactly what the table has. */
function csvOf({ columns, rows }: Pick<FigureTableProps, 'columns' | 'rows'>): string {
  const lines = rows.map((row) => csvLine(row.map((cell) => String(cell ?? ''))))
  return [csvLine(columns.map(({ title }) => title)), ...lines].join('')
}

function jsonOf({ columns, rows }: Pick<FigureTableProps, 'columns' | 'rows'>): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map(({ title }, n) => [title, row[n] ?? null])),
  )
  return JSON.stringify(objects, null, 2)
}

function Rows({ columns, rows }: Pick<FigureTableProps, 'columns' | 'rows'>) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...rest]) => (
          <tr key={first}>
            <th scope="row">{(columns[0]?.show ?? shown)(first)}</th>
            {rest.map((cell, n) => (
              <td key={columns[n + 1]?.title}>{(columns[n + 1]?.show ?? shown)(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ButtonsProps extends FigureTableProps {
  readonly shownIn: () => Element | null
  readonly reveal: () => void
}

function Buttons({ label, fileName, columns, rows, shownIn, reveal }: ButtonsProps) {
  const { outcome, copy } = useCopy()
  const parts = { columns, rows }
  return (
    <div className="figure-buttons">
      <button
        type="button"
        className="text-button"
        aria-label={`Copy ${label}`}
        onClick={() => void copy(csvOf(parts), shownIn, reveal)}
      >
        {outcome === 'copied' ? 'Copied' : 'Copy'}
      </button>
      <button
        type="button"
        className="text-button"
        aria-label={`Save ${label} as CSV`}
        onClick={() => saveFile(new Blob([csvOf(parts)], { type: 'text/csv' }), `${fileName}.csv`)}
      >
        CSV
      </button>
      <button
        type="button"
        className="text-button"
        aria-label={`Save ${label} as JSON`}
        onClick={() =>
          saveFile(new Blob([jsonOf(parts)], { type: 'application/json' }), `${fileName}.json`)
        }
      >
        JSON
      </button>
      {outcome === 'selected' && <span className="muted">{COPY_TEXTS.selected}</span>}
    </div>
  )
}

/** Its rows are made when it is opened. */
export function FigureTable(props: FigureTableProps) {
  const { label, columns, rows } = props
  const [isOpen, setOpen] = useState(false)
  const region = useRef<HTMLDivElement>(null)
  return (
    <div className="figure-table">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>As table</summary>
        {isOpen && (
          <div
            ref={region}
            className="figure-rows"
            role="region"
            aria-label={`${label} as a table`}
            // It scrolls in narrow windows.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            <Rows columns={columns} rows={rows} />
          </div>
        )}
      </details>
      <Buttons {...props} shownIn={() => region.current} reveal={() => setOpen(true)} />
    </div>
  )
}
