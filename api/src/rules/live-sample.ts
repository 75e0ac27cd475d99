/** Fewer rows of a live view, each for several queries. */

export interface Sampled {
  /** For how many queries it stands. */
  readonly sample: number
}

/**
 * At most a number of the rows, evenly chosen, in their order. Each stands for the rows that are left out after it, so the
 * sum stays the same.
 */
export function sampleOf<Row extends Sampled>(rows: readonly Row[], limit: number): Row[] {
  if (rows.length <= limit) return [...rows]
  const step = Math.ceil(rows.length / Math.max(1, limit))
  const kept: Row[] = []
  for (let first = 0; first < rows.length; first += step) {
    const group = rows.slice(first, first + step)
    const [row] = group
    if (row !== undefined)
      kept.push({ ...row, sample: group.reduce((sum, { sample }) => sum + sample, 0) })
  }
  return kept
}
