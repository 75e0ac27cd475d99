import { expect, test } from 'vitest'
import { announcedMaintenance, type GivenMaintenance } from './monitor-maintenance.ts'

const NOW = new Date('2026-05-12T08:00:00.000Z')
const BASE = { starts_at: '2026-05-16T22:00:00Z', ends_at: '2026-05-16T23:00:00Z' }
const read = (input: Partial<GivenMaintenance>) => announcedMaintenance({ ...BASE, ...input }, NOW)

test('the defaults', () => {
  expect(read({})).toEqual({
    startsAt: new Date(BASE.starts_at),
    endsAt: new Date(BASE.ends_at),
    repeats: 'never',
    timeZone: 'UTC',
    note: null,
  })
})

test('a window that should have begun a moment ago begins now', () => {
  expect(
    read({ starts_at: '2026-05-12T07:59:00Z', ends_at: '2026-05-12T09:00:00Z' }).startsAt,
  ).toEqual(NOW)
})

test.each(['Europe/Vienna', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
  '%s',
  (time_zone) => {
    expect(read({ time_zone }).timeZone).toBe(time_zone)
  },
)

test.each<[Partial<GivenMaintenance>, string]>([
  [{ starts_at: '2026-05-12T07:50:00Z' }, 'starts_at'],
  [{ starts_at: '2027-06-01T00:00:00Z' }, 'starts_at'],
  [{ starts_at: '2026-13-01T00:00:00Z' }, 'starts_at'],
  [{ ends_at: BASE.starts_at }, 'ends_at'],
  [{ ends_at: '2026-05-10T00:00:00Z' }, 'ends_at'],
  [{ ends_at: '2026-05-23T22:00:01Z' }, 'ends_at'],
  [{ ends_at: '2026-05-17T22:00:01Z', repeats: 'daily' }, 'ends_at'],
  [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
  [{ time_zone: '+01:00' }, 'time_zone'],
  [{ time_zone: '' }, 'time_zone'],
  [{ note: 'a\nb' }, 'note'],
])('%j: the fault is in %s', (input, field) => {
  const fault = expect.objectContaining({ field }) as object
  expect(() => read(input)).toThrow(expect.objectContaining({ name: 'Refusal', faults: [fault] }))
})
