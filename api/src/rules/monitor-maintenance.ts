/** What owners announce as maintenance. */
import { MONITOR_LIMITS, type MaintenanceRepeat } from '@homing/openapi/vocabulary'
import { invalid } from './errors.ts'

/** What an owner gives. Times are texts with a time zone (RFC 3339). */
export interface GivenMaintenance {
  readonly starts_at: string
  readonly ends_at: string
  readonly repeats?: MaintenanceRepeat | undefined
  readonly time_zone?: string | undefined
  readonly note?: string | null | undefined
}

export interface AnnouncedMaintenance {
  readonly startsAt: Date
  readonly endsAt: Date
  readonly repeats: MaintenanceRepeat
  readonly timeZone: string
  readonly note: string | null
}

const DAY_SECONDS = 86_400
/** How long before its begin a window can be announced. */
const AHEAD_DAYS = 366
/** The clock of the caller may be slow, and a form takes a moment to fill in. */
const LATE_MS = 120_000

/** The greatest length of a window, in seconds. One that repeats ends before it begins again. */
const LENGTH_LIMIT: Readonly<Record<MaintenanceRepeat, number>> = {
  never: MONITOR_LIMITS.maintenance_max,
  daily: DAY_SECONDS,
  weekly: MONITOR_LIMITS.maintenance_max,
}
const LENGTH_TEXT: Readonly<Record<MaintenanceRepeat, string>> = {
  never: 'A window lasts at most seven days.',
  daily: 'A window that is repeated daily lasts at most 24 hours.',
  weekly: 'A window lasts at most seven days.',
}

const fault = (field: string, message: string) => invalid({ field, message })

/** @throws Refusal `validation-failed` */
function timeOf(field: 'starts_at' | 'ends_at', text: string): Date {
  const time = new Date(text)
  if (Number.isFinite(time.getTime())) return time
  throw fault(
    field,
    `${field} is not a time. Write a date and a time with its zone, such as 2026-05-16T22:00:00Z.`,
  )
}

export const unknownZone = () =>
  fault(
    'time_zone',
    'time_zone is not an IANA time zone. Write its name, such as Europe/Vienna or UTC.',
  )

/** The name of an IANA time zone, as it was given. @throws Refusal `validation-failed` */
function timeZoneOf(name: string): string {
  const isName = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9_+-]+)*$/.test(name)
  if (isName && isKnownZone(name)) return name
  throw unknownZone()
}

function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** @throws Refusal `validation-failed` */
function noteOf(given: string | null | undefined): string | null {
  const note = (given ?? '').trim().normalize('NFC')
  if (/\p{Cc}/u.test(note)) {
    throw fault(
      'note',
      'note contains a line break or another control character. Write it on one line.',
    )
  }
  return note === '' ? null : note
}

/**
 * A window, checked. One that should have begun a moment ago begins now.
 *
 * @throws Refusal `validation-failed`
 */
export function announcedMaintenance(input: GivenMaintenance, now: Date): AnnouncedMaintenance {
  const { repeats = 'never' } = input
  const given = timeOf('starts_at', input.starts_at)
  const endsAt = timeOf('ends_at', input.ends_at)
  if (given.getTime() < now.getTime() - LATE_MS) {
    throw fault(
      'starts_at',
      'starts_at is in the past. A window begins now or later: earlier time stays as it was measured.',
    )
  }
  if (given.getTime() > now.getTime() + AHEAD_DAYS * DAY_SECONDS * 1_000) {
    throw fault(
      'starts_at',
      `starts_at is more than ${AHEAD_DAYS} days ahead. Announce the window later.`,
    )
  }
  const startsAt = new Date(Math.max(given.getTime(), now.getTime()))
  const lengthMs = endsAt.getTime() - startsAt.getTime()
  if (lengthMs <= 0)
    throw fault('ends_at', 'ends_at is not after starts_at. A window ends after it begins.')
  if (lengthMs > LENGTH_LIMIT[repeats] * 1_000)
    throw fault('ends_at', `ends_at is too late. ${LENGTH_TEXT[repeats]}`)
  return {
    startsAt,
    endsAt,
    repeats,
    timeZone: timeZoneOf(input.time_zone ?? 'UTC'),
    note: noteOf(input.note),
  }
}
