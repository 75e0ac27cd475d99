/** Figures are ratios: contenders run in turn, in rounds, and their medians are compared. */

/** The median; the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The value below which the share `p` (0–1) of the values lies. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

/**
 * Runs each contender once per round, in turn, so that the machine's other load
 * affects all of them equally. The first round is a warm-up and is discarded.
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
