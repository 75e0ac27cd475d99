/** Prints figures as a table for people. */

const print = (line: string) => process.stdout.write(`${line}\n`)

/** A figure with three significant digits; a dash if it is undefined. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}

/** Prints rows with a header. The first column names the row. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, n) =>
    Math.max(head.length, ...rows.map((row) => (row[n] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ')}`
  print(line(heads))
  for (const row of rows) print(line(row))
}
