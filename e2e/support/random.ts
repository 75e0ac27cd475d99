/** Reproducible random numbers: the same seed gives the same numbers. */

/** Numbers from 0 up to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random element of a list, which must not be empty. */
export function oneOf<T>(random: () => number, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T
}

/** The list in random order. */
export function shuffled<T>(random: () => number, all: readonly T[]): T[] {
  return all
    .map((each) => [random(), each] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each)
}
