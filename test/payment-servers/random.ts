/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A copy in random order (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const copy = [...values]
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const kept = copy[last] as T
    copy[last] = copy[other] as T
    copy[other] = kept
  }
  return copy
}
