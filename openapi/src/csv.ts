/** Files for spreadsheets (RFC 4180): the one home of how a cell is written and read. It imports nothing. */

/** Spreadsheets run a cell that begins like this as a formula. A negative number is a number, which sums need. */
const LIKE_FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r]/

/** A cell. One that begins like a formula gets an apostrophe. */
function cellOf(text: string): string {
  const safe = LIKE_FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record, with the end of its line. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** A cell as `csvLine` was given it. */
const plainCell = (text: string) =>
  text.startsWith("'") && LIKE_FORMULA.test(text.slice(1)) ? text.slice(1) : text

/** A record of a file, and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

// A quoted cell, or everything up to a separator; then the separator or the end.
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/**
 * The records of a file. Empty lines are skipped, and so is a byte order mark.
 *
 * @throws Error with the line of a quotation mark that is not closed or not at the edge of its cell
 */
export function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let line = 1
  let cells: string[] = []
  let begun = line
  const cell = new RegExp(CELL)
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  while (cell.lastIndex < text.length || cells.length > 0) {
    const found = cell.exec(text)
    if (found === null) throw new Error(`line ${line}: a quotation mark is in the wrong place`)
    const [whole, quoted, plain = '', separator] = found
    cells.push(plainCell(quoted === undefined ? plain : quoted.replaceAll('""', '"')))
    line += (whole.match(/\r\n|\n|\r/g) ?? []).length
    if (separator === ',') continue
    if (cells.some((each) => each !== '')) records.push({ line: begun, cells })
    cells = []
    begun = line
  }
  return records
}
