/*
 * The buckets of the latency histogram: four per power of ten, from 10 µs to 1 s. A logarithm finds
 * the bucket without a search.
 */
const SMALLEST_MS = 0.01
const PER_DECADE = 4
const DECADES = 5

/** The number of buckets. The last one holds times above one second. */
export const LATENCY_BUCKETS = PER_DECADE * DECADES + 2

/** Upper bounds of all buckets but the last, in seconds. */
export const LATENCY_BOUNDS_SECONDS: readonly number[] = Array.from(
  { length: LATENCY_BUCKETS - 1 },
  (_, index) => Number(((SMALLEST_MS / 1000) * 10 ** (index / PER_DECADE)).toPrecision(3)),
)

/** The bucket of a time. */
export function latencyBucket(milliseconds: number): number {
  if (!(milliseconds > SMALLEST_MS)) return 0
  // Bounds have three digits, and a time on a bound belongs to the bucket below it.
  const bucket = Math.ceil(Math.log10(milliseconds / SMALLEST_MS) * PER_DECADE - 3e-3)
  return Math.min(bucket, LATENCY_BUCKETS - 1)
}
