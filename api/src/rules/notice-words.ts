/** Parts of the texts of notices. */

const MINUTE_SECONDS = 60
const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' })

export const plural = (count: number, one: string, many: string): string =>
  count === 1 ? one : many

/** Some names, and how many more there are. @param what what they are, for the rest */
export function named(names: readonly string[] | null, count: number, what: string): string {
  const shown = names ?? []
  const left = count - shown.length
  return LIST.format(
    left > 0 ? [...shown, `${left} more ${plural(left, what, `${what}s`)}`] : shown,
  )
}

/** A time to the minute, in UTC, because the reader's time zone is unknown. */
export const moment = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A day, in UTC: `12 May 2026`. */
export const day = (at: string): string =>
  new Date(at).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A time to live, in seconds or minutes. */
export const span = (seconds: number): string =>
  seconds <= MINUTE_SECONDS || seconds % MINUTE_SECONDS !== 0
    ? `${seconds} seconds`
    : `${seconds / MINUTE_SECONDS} minutes`

/** An amount: `$10`, `$10.50`. @param currency a code of ISO 4217 */
export function money(cents: number, currency: string): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}
