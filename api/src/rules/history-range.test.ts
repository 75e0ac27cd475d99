import { expect, test } from 'vitest'
import { historyRange } from './history-range.ts'
import type { AskedRange } from './part-range.ts'

const NOW = new Date('2026-05-12T08:32:10.000Z')
const read = (asked: AskedRange) => {
  const { from, to, resolution } = historyRange(asked, NOW)
  return [from.toISOString().slice(0, 16), to.toISOString().slice(0, 16), resolution]
}

test.each<[AskedRange, string[]]>([
  [{}, ['2026-05-11T08:30', '2026-05-12T08:35', '5m']],
  [{ resolution: '1h' }, ['2026-05-11T08:00', '2026-05-12T09:00', '1h']],
  [{ from: '2026-05-05T00:00:00Z' }, ['2026-05-05T00:00', '2026-05-12T09:00', '1h']],
  [{ from: '2026-02-11T00:00:00+01:00' }, ['2026-02-10T00:00', '2026-05-13T00:00', '1d']],
  [{ from: '2025-04-08T00:00:00Z' }, ['2025-04-08T00:00', '2026-05-13T00:00', '1d']],
  [
    { from: '2026-05-12T00:00:00Z', to: '2026-05-12T00:00:01Z' },
    ['2026-05-12T00:00', '2026-05-12T00:05', '5m'],
  ],
  // The end of the present part.
  [{ to: '2026-05-12T08:35:00Z' }, ['2026-05-11T08:35', '2026-05-12T08:35', '5m']],
])('%j', (asked, range) => {
  expect(read(asked)).toEqual(range)
})

test.each<[AskedRange, string]>([
  [{ from: '2026-05-12T08:00:00Z', to: '2026-05-12T07:00:00Z' }, 'from'],
  [{ from: '2026-05-12T08:00:00Z', to: '2026-05-12T08:00:00Z' }, 'from'],
  [{ from: '2026-05-13T00:00:00Z', to: '2026-05-14T00:00:00Z' }, 'to'],
  [{ to: '2026-05-14T00:00:00Z' }, 'to'],
  [{ from: '2016-05-12T00:00:00Z' }, 'from'],
  [{ from: '2026-03-01T00:00:00Z', to: '2026-03-01T06:00:00Z', resolution: '5m' }, 'from'],
  [{ from: '2026-05-01T00:00:00Z', resolution: '5m' }, 'resolution'],
  [{ from: '0001-01-01T00:00:00Z' }, 'from'],
  [{ to: '9999-12-31T23:59:59Z' }, 'to'],
])('%j is refused: %s', (asked, field) => {
  const fault = expect.objectContaining({ field }) as object
  expect(() => historyRange(asked, NOW)).toThrow(
    expect.objectContaining({ name: 'Refusal', faults: [fault] }),
  )
})
