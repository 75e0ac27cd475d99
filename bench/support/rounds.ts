/** Figures are ratios: two things run in turn, round by round, and the median of each is compared. */

/** The middle of some figures; the mean of the two middle ones when their count is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The value below which the share `p` (0–1) of some figures lies. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

/**
 * Runs each contender once a round, in turn, so that what the machine does
 * beside us falls on all of them alike. The first round warms up and is not kept.
 */
export async function interleave<Name extends string, Figure>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Figure>>>,
): Promise<Record<Name, Figure[]>> {
  const names = Object.keys(contenders) as Name[]
  const kept = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Figure[]
  >
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const figure = await contenders[name]()
      if (round > 0) kept[name].push(figure)
    }
  }
  return kept
}
