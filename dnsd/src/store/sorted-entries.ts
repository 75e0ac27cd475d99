import type { WorkSlice } from './work-slice.ts'

// The length of a run, which is sorted in one step of about a millisecond.
const RUN_LENGTH = 512

/**
 * Sorts the numbers of entries by `compare`: a merge sort in slices, with other work between its steps. It
 * uses two arrays of numbers, so a million entries take 8 MiB.
 */
export async function sortedEntries(
  entries: Int32Array,
  compare: (one: number, other: number) => number,
  slice: WorkSlice,
): Promise<Int32Array> {
  let from = entries.slice()
  for (let start = 0; start < from.length; start += RUN_LENGTH) {
    from.subarray(start, start + RUN_LENGTH).sort(compare)
    if (slice.isOver) await slice.rest()
  }
  let to = new Int32Array(from.length)
  for (let run = RUN_LENGTH; run < from.length; run *= 2) {
    for (let start = 0; start < from.length; start += 2 * run) {
      const middle = Math.min(start + run, from.length)
      await merge(
        from,
        to,
        { start, middle, end: Math.min(middle + run, from.length) },
        compare,
        slice,
      )
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** Two adjacent sorted runs. */
interface Runs {
  readonly start: number
  readonly middle: number
  readonly end: number
}

async function merge(
  from: Int32Array,
  to: Int32Array,
  { start, middle, end }: Runs,
  compare: (one: number, other: number) => number,
  slice: WorkSlice,
): Promise<void> {
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const one = from[left] ?? 0
    const other = from[right] ?? 0
    const takesLeft = left < middle && (right >= end || compare(one, other) <= 0)
    to[at] = takesLeft ? one : other
    if (takesLeft) left += 1
    else right += 1
    if (at % RUN_LENGTH === 0 && slice.isOver) await slice.rest()
  }
}
