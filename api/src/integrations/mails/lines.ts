/** Maximum number of lines in one mail. Further items are counted. */
const LINES_LIMIT = 50

/** A line for each item of a mail. */
export function linesOf<T>(items: readonly T[], line: (item: T) => string): string[] {
  const lines = items.slice(0, LINES_LIMIT).map(line)
  const left = items.length - lines.length
  return left > 0 ? [...lines, `And ${left} more.`] : lines
}
