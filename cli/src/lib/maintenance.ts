/** Maintenance windows, as this program shows and takes them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { clockIn } from './times.ts'

export type MaintenanceWindow = components['schemas']['MaintenanceWindow']

export const WINDOW_FIELDS = [
  'id',
  'starts_at',
  'ends_at',
  'repeats',
  'time_zone',
  'note',
  'next_starts_at',
] as const satisfies readonly (keyof MaintenanceWindow)[]

/** The time of day in a zone: `2026-05-17 00:00`. */
function inZone(instant: string, timeZone: string): string {
  return clockIn(timeZone).format(new Date(instant)).slice(0, -':00'.length)
}

export const windowListing: Listing<MaintenanceWindow> = {
  columns: [
    { title: 'ID', of: ({ id }) => id },
    { title: 'FROM', of: ({ starts_at, time_zone }) => inZone(starts_at, time_zone) },
    { title: 'TO', of: ({ ends_at, time_zone }) => inZone(ends_at, time_zone) },
    { title: 'TIME ZONE', of: ({ time_zone }) => time_zone, dropFirst: 2 },
    { title: 'REPEATS', of: ({ repeats }) => repeats, dropFirst: 3 },
    {
      title: 'NEXT (UTC)',
      of: ({ next_starts_at }) =>
        next_starts_at === null ? 'over' : inZone(next_starts_at, 'UTC'),
    },
    { title: 'NOTE', of: ({ note }) => note ?? '', dropFirst: 1 },
  ],
  fields: (window) => [
    window.id,
    window.starts_at,
    window.ends_at,
    window.repeats,
    window.time_zone,
    window.next_starts_at,
    window.note,
  ],
}
