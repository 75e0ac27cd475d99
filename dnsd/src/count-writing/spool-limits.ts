/* Which batches lose which detail when there are too many. */
import type { SpooledBatch } from './count-spool.ts'

export interface SpoolLimits {
  readonly batches: number
  readonly bytes: number
}

/** The number of batches is over an hour of them, one each ten seconds. */
export const SPOOL_LIMITS: SpoolLimits = { batches: 400, bytes: 256 * 1024 * 1024 }

const MINUTE_MS = 60_000
// Series have steps of five minutes, of an hour and of a day.
const WINDOWS_MS = [5 * MINUTE_MS, 60 * MINUTE_MS] as const
const DAY_MS = 24 * 60 * MINUTE_MS
/** The maximum size of the files that are merged together, which are in memory for that. */
const MERGED_BYTES = 16 * 1024 * 1024

export interface Reduction {
  readonly batches: readonly SpooledBatch[]
  /** `time`: they become one batch; `network`: they lose the networks of clients. */
  readonly lost: 'time' | 'network' | 'all'
}

/**
 * The next step to keep the limits.
 *
 * @param batches those that may change, the oldest first; of those that were sent, only the loss is possible
 * @param now the number and size of all batches
 * @returns undefined when the limits are kept
 */
export function nextReduction(
  batches: readonly SpooledBatch[],
  limits: SpoolLimits,
  now: SpoolLimits,
): Reduction | undefined {
  if (now.batches <= limits.batches && now.bytes <= limits.bytes) return undefined
  const unsent = batches.filter(({ sentAtMs }) => sentAtMs === undefined)
  for (const windowMs of WINDOWS_MS) {
    const group = oldestGroup(unsent, windowMs)
    if (group !== undefined) return { batches: group, lost: 'time' }
  }
  const detailed = unsent.find(({ isPlain }) => !isPlain)
  if (now.bytes > limits.bytes && detailed !== undefined) {
    return { batches: [detailed], lost: 'network' }
  }
  const day = oldestGroup(unsent, DAY_MS)
  if (day !== undefined) return { batches: day, lost: 'time' }
  // The newest one stays: it is being added.
  return batches.length > 1 ? { batches: batches.slice(0, 1), lost: 'all' } : undefined
}

/** At least two batches of one window that are small enough to be merged. */
function oldestGroup(
  batches: readonly SpooledBatch[],
  windowMs: number,
): readonly SpooledBatch[] | undefined {
  const windowOf = ({ endedAtMs }: SpooledBatch) => Math.floor(endedAtMs / windowMs)
  for (let start = 0; start < batches.length;) {
    const first = batches[start] as SpooledBatch
    let end = start
    let bytes = 0
    for (let next = batches[end]; next !== undefined; next = batches[end]) {
      bytes += next.bytes
      if (windowOf(next) !== windowOf(first) || bytes > MERGED_BYTES) break
      end += 1
    }
    if (end - start >= 2) return batches.slice(start, end)
    start = Math.max(end, start + 1)
  }
  return undefined
}
