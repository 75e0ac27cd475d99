/** Formats numbers and times. */

const figures = new Intl.NumberFormat('en')

export const count = (figure: number) => figures.format(figure)

/** `1 domain`, `2 domains`. */
export const counted = (figure: number, one: string, more = `${one}s`) =>
  `${count(figure)} ${figure === 1 ? one : more}`

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A time from the API, in the user's time zone. */
export const moment = (time: string) => moments.format(new Date(time))

const ages = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago a time was: `3 hours ago`. */
export function age(time: string, now: Date): string {
  const seconds = (now.getTime() - new Date(time).getTime()) / 1_000
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? []
  return unit === undefined || length === undefined
    ? 'just now'
    : ages.format(-Math.floor(seconds / length), unit)
}

/** A number of seconds in its largest exact unit: `1 hour`, `60 seconds`. */
export function span(seconds: number): string {
  if (seconds >= 3_600 && seconds % 3_600 === 0) return counted(seconds / 3_600, 'hour')
  if (seconds > 60 && seconds % 60 === 0) return counted(seconds / 60, 'minute')
  return counted(seconds, 'second')
}
