/** Formats times and durations. */
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/** How long ago a time was: `just now`, `4 min ago`, `3 h ago`, `12 days ago`. */
export function ageOf(time: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(time)) / 1_000)
  if (seconds < MINUTE_SECONDS) return 'just now'
  if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} min ago`
  if (seconds < DAY_SECONDS) return `${Math.floor(seconds / HOUR_SECONDS)} h ago`
  const days = Math.floor(seconds / DAY_SECONDS)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** As `ageOf`, with seconds: `2 s ago`. @param since milliseconds since the epoch */
export function secondsAgo(since: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - since) / 1_000))
  return seconds < MINUTE_SECONDS ? `${seconds} s ago` : ageOf(new Date(since).toISOString(), nowMs)
}

/** A TTL in the units of the plan descriptions: `60 seconds`, `60 minutes`. */
export function ttlText(seconds: number): string {
  if (seconds > MINUTE_SECONDS && seconds % MINUTE_SECONDS === 0) {
    return `${seconds / MINUTE_SECONDS} minutes`
  }
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
