/** Times and lengths of time, as flags take them. */
import { usage } from './failure.ts'
import { printable } from './text.ts'

/** The clocks of a time zone: `2026-05-17 03:00:00`. */
export const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of `90m`, `2h` or `1d`. @throws CommandFailure for another text */
export function lengthMs(flag: string, text: string): number {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (number === undefined || Number(number) === 0) {
    throw usage(`${flag} takes a length such as 30m, 2h or 1d, not "${printable(text)}".`)
  }
  return Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/** @throws CommandFailure for a time zone that does not exist */
export function requireTimeZone(name: string): string {
  try {
    clockIn(name)
    return name
  } catch {
    throw usage(
      `There is no time zone "${printable(name)}". Give one such as Europe/Vienna, or UTC.`,
    )
  }
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function aheadMs(instantMs: number, timeZone: string): number {
  const clock = clockIn(timeZone).format(instantMs).replace(' ', 'T')
  return Date.parse(`${clock}Z`) - Math.floor(instantMs / 1_000) * 1_000
}

/** Whether a text begins with a day of the calendar: `Date.parse` makes 2 March of 2027-02-30. */
export function hasRealDay(text: string): boolean {
  const day = text.slice(0, '2027-02-30'.length)
  const at = Date.parse(`${day}T00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

/**
 * The instant of a time in ISO 8601. Without an offset, it is the time of the clocks in the zone.
 *
 * @throws CommandFailure for another text
 */
export function instantOf(flag: string, text: string, timeZone: string): Date {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(Z|[+-]\d{2}:\d{2})?$/.exec(text)
  const asUtc = Date.parse(isTime?.[1] === undefined ? `${text}Z` : text)
  if (isTime === null || Number.isNaN(asUtc) || !hasRealDay(text)) {
    throw usage(
      `${flag} takes a time such as 2026-05-17T00:00 or 2026-05-16T22:00Z, not "${printable(text)}".`,
    )
  }
  if (isTime[1] !== undefined) return new Date(asUtc)
  // The offset of the first result, which can be on the other side of a change of the clocks, leads to the second.
  const near = asUtc - aheadMs(asUtc, timeZone)
  return new Date(asUtc - aheadMs(near, timeZone))
}
