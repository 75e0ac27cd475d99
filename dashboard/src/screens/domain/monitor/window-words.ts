/** Maintenance windows: times of the user with UTC beside them, and the fields of a new one. */
import { MONITOR_LIMITS } from '@homing/openapi/vocabulary'
import { dayText, lengthText, timeText } from '@homing/theme/formats'
import type { MaintenanceWindow, NewMaintenanceWindow } from '../../../api/monitors.ts'

type Repeats = MaintenanceWindow['repeats']

export const REPEAT_NAMES: Readonly<Record<Repeats, string>> = {
  never: 'Once',
  daily: 'Every day',
  weekly: 'Every week',
}

/** The time zone of the browser, such as `Europe/Vienna`. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-05-16 20:00 UTC`. */
export const utcText = (time: string | number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** When the window begins, and how long it takes. */
export function windowText({ starts_at, ends_at }: MaintenanceWindow): string {
  const seconds = (Date.parse(ends_at) - Date.parse(starts_at)) / 1_000
  return `${timeText(starts_at)}, for ${lengthText(seconds)}`
}

/** `2026-05-16T22:00`: a time as the browser's field has it, in the user's time zone. */
export function fieldOf(ms: number): string {
  const time = new Date(ms)
  const two = (figure: number) => String(figure).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

export interface WindowDraft {
  readonly starts: string
  readonly ends: string
  readonly repeats: Repeats
  readonly note: string
}

const MINUTE_MS = 60_000
const STEP_MS = 5 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS

/** The next hour, rounded up to five minutes. */
export function newWindow(nowMs: number): WindowDraft {
  const start = Math.ceil((nowMs + MINUTE_MS) / STEP_MS) * STEP_MS
  return { starts: fieldOf(start), ends: fieldOf(start + HOUR_MS), repeats: 'never', note: '' }
}

/** The time in a field; undefined while it is incomplete. */
export function timeIn(field: string): number | undefined {
  const ms = new Date(field).getTime()
  return Number.isNaN(ms) ? undefined : ms
}

const DAY_MS = 24 * HOUR_MS
const LONGEST_MS: Readonly<Record<Repeats, number>> = {
  never: MONITOR_LIMITS.maintenance_max * 1_000,
  daily: DAY_MS,
  weekly: MONITOR_LIMITS.maintenance_max * 1_000,
}

export interface WindowFaults {
  readonly starts?: string
  readonly ends?: string
}

/** What is wrong with the times; empty if nothing is. */
export function faultsOf({ starts, ends, repeats }: WindowDraft, nowMs: number): WindowFaults {
  const [start, end] = [timeIn(starts), timeIn(ends)]
  if (start === undefined) return { starts: 'Enter a day and a time.' }
  if (start + MINUTE_MS <= nowMs) return { starts: 'It begins now or later.' }
  if (end === undefined) return { ends: 'Enter a day and a time.' }
  if (end <= start) return { ends: 'It ends after it begins.' }
  if (end - start > LONGEST_MS[repeats]) {
    return { ends: `It lasts at most ${lengthText(LONGEST_MS[repeats] / 1_000)}.` }
  }
  return {}
}

/** @param draft without faults */
export const bodyOf = ({ starts, ends, repeats, note }: WindowDraft): NewMaintenanceWindow => ({
  starts_at: new Date(starts).toISOString(),
  ends_at: new Date(ends).toISOString(),
  repeats,
  time_zone: ownZone(),
  note: note.trim() === '' ? null : note.trim(),
})

/** Whether it is the present one, the next one, or over. */
export function nextText(window: MaintenanceWindow, nowMs: number): string {
  const { next_starts_at: next, starts_at, ends_at } = window
  if (next === null) return 'Over'
  const begins = Date.parse(next)
  const ends = begins + Date.parse(ends_at) - Date.parse(starts_at)
  if (begins <= nowMs && nowMs < ends) return `Now, until ${timeText(ends)}`
  return `Next: ${dayText(next)}`
}
