/* The two halves of a thread's counts: which one is active, and how one is emptied. */
import {
  COUNT,
  countHalf,
  type CountTable,
  NAME,
  NAMES_TAKEN,
  RECORD,
  RECORDS_TAKEN,
  STATE,
  STATE_WORD,
} from './count-table.ts'

export type Half = 0 | 1

/**
 * The half in which the thread counts. The other half is stable when all counting calls in it have
 * finished.
 */
export function activeHalf(table: CountTable): Half {
  return (Atomics.load(stateOf(table), STATE_WORD) & STATE.HALF) === 0 ? 0 : 1
}

/** Makes the thread count in the other half from its next answer on. */
export function changeHalf(table: CountTable): void {
  Atomics.xor(stateOf(table), STATE_WORD, STATE.HALF)
}

/** Whether nothing was counted in a half. */
export function isEmptyHalf(table: CountTable, half: Half): boolean {
  return countHalf(table, half).head[NAMES_TAKEN] === 0
}

/** Clears a half. */
export function emptyHalf(table: CountTable, half: Half): void {
  const { head, counts, countTags, names, nameTags, records } = countHalf(table, half)
  emptyPlaces(names, nameTags, NAME.WORDS)
  emptyPlaces(counts, countTags, COUNT.WORDS)
  records.fill(0, 0, (head[RECORDS_TAKEN] ?? 0) * RECORD.WORDS)
  head.fill(0)
}

function stateOf({ memory }: CountTable): Int32Array {
  return new Int32Array(memory, 0, 1)
}

// Only used slots are cleared: writing zeros would make the system allocate memory that was never used. A call of `fill`
// for each slot would take longer than this loop.
function emptyPlaces(words: Int32Array, tags: Uint8Array, wordsPerPlace: number): void {
  for (let slot = 0; slot < tags.length; slot++) {
    if (tags[slot] === 0) continue
    const end = (slot + 1) * wordsPerPlace
    for (let word = slot * wordsPerPlace; word < end; word++) words[word] = 0
    tags[slot] = 0
  }
}
