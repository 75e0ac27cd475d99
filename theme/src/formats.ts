/** The formats of numbers, amounts, times and lists in all web apps and pages. They are written in English, with the day before the month. */
const LANGUAGE = 'en-GB'

const figures = new Intl.NumberFormat(LANGUAGE)

/** `1,234`. */
export const count = (figure: number): string => figures.format(figure)

/** A count in a small space: `999`, `1.8K`, `51.2K`, `1.3M`. */
export function shortCount(figure: number): string {
  if (figure < 1_000) return count(figure)
  const thousands = Math.round(figure / 100) / 10
  if (thousands < 1_000) return `${thousands}K`
  return `${count(Math.round(figure / 100_000) / 10)}M`
}

/** `1 domain`, `2 domains`. */
export const counted = (figure: number, one: string, more = `${one}s`): string =>
  `${count(figure)} ${figure === 1 ? one : more}`

/** An amount in cents: `$10`, `$10.50`. @param currency a code of ISO 4217 */
export function money(cents: number, currency: string): string {
  const digits = cents % 100 === 0 ? 0 : 2
  // The American format has the symbol `$` alone.
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(cents / 100)
}

const list = new Intl.ListFormat(LANGUAGE)

/** `a`, `a and b`, `a, b and c`. */
export const enumeration = (words: readonly string[]): string => list.format(words)

type Time = string | number | Date

/** `12 May 2026`. @param timeZone the user's by default */
export const dayText = (time: Time, timeZone?: string): string =>
  new Date(time).toLocaleDateString(LANGUAGE, { dateStyle: 'long', timeZone })

/** `12 May 2026, 08:30`. @param timeZone the user's by default */
export const timeText = (time: Time, timeZone?: string): string =>
  new Date(time).toLocaleString(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short', timeZone })

/** `08:30:00`, in the user's time zone. */
export const clockText = (time: Time): string => new Date(time).toLocaleTimeString(LANGUAGE)

/** `08:30`, in the user's time zone. */
export const minuteText = (time: Time): string =>
  new Date(time).toLocaleTimeString(LANGUAGE, { timeStyle: 'short' })

/** `12 May, 08:30:00`, in the user's time zone. */
export const momentText = (time: Time): string =>
  new Date(time).toLocaleString(LANGUAGE, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

const AGES = [
  [31_536_000, 'year', 'years'],
  [2_592_000, 'month', 'months'],
  [86_400, 'day', 'days'],
  [3_600, 'h', 'h'],
  [60, 'min', 'min'],
] as const

/** How long ago a time was: `just now`, `4 min ago`, `3 h ago`, `12 days ago`, `2 years ago`. */
export function ageText(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1_000
  for (const [length, one, more] of AGES) {
    if (seconds >= length) return `${counted(Math.floor(seconds / length), one, more)} ago`
  }
  return 'just now'
}

/** A duration such as a TTL, in the largest unit of which there is more than one: `60 seconds`, `60 minutes`, `2 hours`. */
export function spanText(seconds: number): string {
  if (seconds > 3_600 && seconds % 3_600 === 0) return counted(seconds / 3_600, 'hour')
  if (seconds > 60 && seconds % 60 === 0) return counted(seconds / 60, 'minute')
  return counted(seconds, 'second')
}

const LENGTHS = [
  [86_400, 'day', 'days'],
  [3_600, 'h', 'h'],
  [60, 'min', 'min'],
  [1, 's', 's'],
] as const

/** How long something took, in its largest unit and the next one: `4 min 30 s`, `2 days 3 h`, `0 s`. */
export function lengthText(seconds: number): string {
  const at = LENGTHS.findIndex(([length]) => seconds >= length)
  const [unit, next] = at === -1 ? [] : LENGTHS.slice(at, at + 2)
  if (unit === undefined) return '0 s'
  const [length, one, more] = unit
  const text = counted(Math.floor(seconds / length), one, more)
  const rest = next === undefined ? 0 : Math.floor((seconds % length) / next[0])
  return next === undefined || rest === 0 ? text : `${text} ${counted(rest, next[1], next[2])}`
}

/** A percentage with two decimals: `99.97%`. */
export const percentText = (figure: number): string => `${figure.toFixed(2)}%`
