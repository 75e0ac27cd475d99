/**
 * Data on stdout: a table for a person, tab-separated lines for a program.
 * The table may change; the fields and their order do not.
 */
import { stripVTControlCharacters, styleText } from 'node:util'
import { printable } from './text.ts'

export interface Column<Row> {
  readonly title: string
  /** One line, or several below one another. */
  readonly of: (row: Row) => string | readonly string[]
  /** The column may be left out if the terminal is too narrow; the highest number goes first. */
  readonly dropFirst?: number
}

export interface Listing<Row> {
  readonly columns: readonly Column<Row>[]
  /** The fields of a row in a pipe. A missing value is an empty field. */
  readonly fields: (row: Row) => readonly Field[]
}

const isTerminal = () => process.stdout.isTTY

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
  const width = process.stdout.columns || USUAL_COLUMNS
  return fittingTable(rows, columns, width)
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

/** The table, without the columns that do not fit the width. */
async function fittingTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  let shown = columns
  for (;;) {
    const table = new Table({
      head: shown.map(({ title }) => bold(title)),
      chars: NO_LINES,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    })
    for (const row of rows) {
      table.push(shown.map(({ of }) => [of(row)].flat().map(printable).join('\n')))
    }
    const lines = table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
    const widest = Math.max(...lines.map((line) => stripVTControlCharacters(line).length))
    const [first] = shown
      .filter(({ dropFirst }) => dropFirst !== undefined)
      .toSorted((one, other) => (other.dropFirst ?? 0) - (one.dropFirst ?? 0))
    if (widest <= width) return lines.join('\n')
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
