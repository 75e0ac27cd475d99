/** Suggests a known word for a mistyped one. */

/** How many letters must be inserted, deleted, replaced or swapped with their neighbour to get from one word to the other. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [at, letter] of Array.from(from).entries()) {
    const next = [at + 1]
    for (const [place, wanted] of Array.from(to).entries()) {
      const replaced = (row[place] ?? 0) + (letter === wanted ? 0 : 1)
      const isSwapped = from[at - 1] === wanted && letter === to[place - 1]
      const swapped = isSwapped ? (before[place - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

/** A longer text is not a mistyped word, and the cost grows with the length of both. */
const LENGTH_LIMIT = 40

/** The nearest of `words`; undefined when more than a third of the letters would have to change. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LENGTH_LIMIT) return undefined
  const most = Math.max(1, Math.floor(word.length / 3))
  return words
    .map((known) => ({ known, distance: distance(word, known) }))
    .filter((candidate) => candidate.distance <= most)
    .toSorted((one, other) => one.distance - other.distance)[0]?.known
}
