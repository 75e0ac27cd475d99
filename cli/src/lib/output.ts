/**
 * Data on stdout: a table for a person, tab-separated lines for a program.
 * The table may change; the fields and their order do not.
 */
import { stripVTControlCharacters, styleText } from 'node:util'
import type CliTable from 'cli-table3'
import { printable, shortened, wrapped } from './text.ts'

export interface Column<Row> {
  readonly title: string
  /** One line, or several below one another. */
  readonly of: (row: Row) => string | readonly string[]
  /** The column may be left out if the terminal is too narrow; the highest number goes first. */
  readonly dropFirst?: number
  /** How a text that is longer than the rest of the line becomes shorter: broken between words, or cut. One column can. */
  readonly fit?: 'wrap' | 'cut'
}

export interface Listing<Row> {
  readonly columns: readonly Column<Row>[]
  /** The fields of a row in a pipe. A missing value is an empty field. */
  readonly fields: (row: Row) => readonly Field[]
}

/** Whether stdout is a terminal. */
export const isTerminal = () => process.stdout.isTTY

/** The width of a terminal that does not report it. */
const USUAL_COLUMNS = 80

/** Bold where stdout is a terminal and NO_COLOR is not set. */
const bold = (text: string) => styleText('bold', text, { stream: process.stdout })

type Field = string | number | boolean | null

/** The fields of one item: tabs between them in a pipe, two spaces on a terminal. */
export function fieldLine(fields: readonly Field[]): string {
  return fields.map((field) => printable(String(field ?? ''))).join(isTerminal() ? '  ' : '\t')
}

/** The rows as text, ready to print; empty for no rows. */
export async function listed<Row>(
  rows: readonly Row[],
  { columns, fields }: Listing<Row>,
): Promise<string> {
  if (rows.length === 0) return ''
  if (!isTerminal()) return rows.map((row) => fieldLine(fields(row))).join('\n')
  return fittingTable(rows, columns, process.stdout.columns || USUAL_COLUMNS)
}

/** One of several lists on a terminal: with its title, if it was too wide for a table, which begins with it. */
export function titled(title: string, text: string): string {
  const isTable = stripVTControlCharacters(text).startsWith(title)
  return text === '' || isTable ? text : `${bold(title)}\n${text}`
}

/** The columns of a row below one another, for rows that are too wide for a table. Nothing is cut. */
function stacked<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return rows
    .map((row) => {
      const lines = columns.flatMap(({ of }) => of(row)).map(printable)
      return lines.filter((line) => line !== '').join('\n  ')
    })
    .join('\n')
}

/** The least room of a column that fits its text to the line. */
const LEAST_ROOM = 24
const GAP = 2

/** The length of the longest line. There can be more lines than a call can have arguments. */
const widest = (lines: readonly string[]) =>
  lines.reduce((longest, { length }) => Math.max(longest, length), 0)

/** The lines of each cell. The column with `fit` uses what the others leave of the width. */
function cellsOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[][][] {
  const cells = rows.map((row) => columns.map(({ of }) => [of(row)].flat().map(printable)))
  const at = columns.findIndex(({ fit }) => fit !== undefined)
  if (at < 0) return cells
  const others = columns.map(({ title }, index) =>
    index === at ? 0 : GAP + widest([title, ...cells.flatMap((row) => row[index] ?? [])]),
  )
  const room = Math.max(LEAST_ROOM, width - others.reduce((sum, next) => sum + next, 0))
  const isCut = columns[at]?.fit === 'cut'
  const fitted = (lines: readonly string[]) =>
    lines.flatMap((line) => (isCut ? shortened(line, room) : wrapped(line, room)))
  return cells.map((row) => row.map((lines, index) => (index === at ? fitted(lines) : lines)))
}

/** The time that the library needs grows with the square of the rows: 10,000 of them took eight seconds. */
const ROWS_AT_ONCE = 500

/** The longest line of each column. */
const longestLines = (cells: readonly string[][][]): string[] =>
  (cells[0] ?? []).map((_, column) =>
    cells
      .flatMap((row) => row[column] ?? [])
      .reduce((longest, line) => (line.length > longest.length ? line : longest), ''),
  )

/** The lines of a table. Each part of it begins with the longest lines, which are removed, so that all have the same columns. */
function tableLines(
  Table: typeof CliTable,
  head: string[],
  cells: readonly string[][][],
): string[] {
  const longest = cells.length > ROWS_AT_ONCE ? [longestLines(cells)] : []
  const lines: string[] = []
  for (let at = 0; at < cells.length; at += ROWS_AT_ONCE) {
    const part = cells.slice(at, at + ROWS_AT_ONCE)
    const table = new Table({
      head,
      chars: NO_LINES,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    })
    table.push(...longest, ...part.map((row) => row.map((cell) => cell.join('\n'))))
    const [title = '', ...others] = table.toString().split('\n')
    lines.push(...(at === 0 ? [title] : []), ...others.slice(longest.length))
  }
  return lines.map((line) => line.trimEnd())
}

/** The table, without the columns that do not fit the width. */
async function fittingTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  let shown = columns
  for (;;) {
    const lines = tableLines(
      Table,
      shown.map(({ title }) => bold(title)),
      cellsOf(rows, shown, width),
    )
    const longest = widest(lines.map((line) => stripVTControlCharacters(line)))
    const [first] = shown
      .filter(({ dropFirst }) => dropFirst !== undefined)
      .toSorted((one, other) => (other.dropFirst ?? 0) - (one.dropFirst ?? 0))
    if (longest <= width) return lines.join('\n')
    if (first === undefined) return stacked(rows, shown)
    shown = shown.filter((column) => column !== first)
  }
}

/** No borders: two spaces between columns. */
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

export type Fact = readonly [title: string, value: Field]

/** One item: a fact per line. A missing value is a dash on a terminal, an empty field in a pipe. */
export function facts(list: readonly Fact[]): string {
  if (!isTerminal()) return list.map((fact) => fieldLine(fact)).join('\n')
  const width = Math.max(...list.map(([title]) => title.length))
  return list
    .map(([title, value]) => {
      const text = value === null || value === '' ? '–' : printable(String(value))
      return `${bold(title.padEnd(width))}  ${text}`
    })
    .join('\n')
}
