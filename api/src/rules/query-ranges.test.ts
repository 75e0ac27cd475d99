import { describe, expect, test } from 'vitest'
import type { AskedRange } from './part-range.ts'
import { type Piece, piecesOf, seriesRange, summaryPeriods } from './query-ranges.ts'

const NOW = new Date('2026-05-12T08:32:10.000Z')
const short = (date: Date | undefined) => date?.toISOString().slice(5, 16)

describe('series', () => {
  test.each<[AskedRange, [string, string, string, number, string | undefined]]>([
    [{}, ['05-11T08:35', '05-12T08:35', '5m', 288, '05-10T08:35']],
    [{ resolution: '1h' }, ['05-11T09:00', '05-12T09:00', '1h', 24, '05-10T09:00']],
    [{ from: '2026-05-05T00:00:00Z' }, ['05-05T00:00', '05-12T09:00', '1h', 177, '04-27T15:00']],
    // The period of a screen that was opened a moment ago.
    [{ from: '2026-05-11T08:32:00Z' }, ['05-11T08:30', '05-12T08:35', '5m', 289, '05-10T08:25']],
    // A zone with half an hour; days are in UTC.
    [
      { from: '2026-05-01T00:00:00+05:30', resolution: '1d' },
      ['04-30T00:00', '05-13T00:00', '1d', 13, '04-17T00:00'],
    ],
    // The period before is not kept any more.
    [{ from: '2026-04-20T00:00:00Z' }, ['04-20T00:00', '05-12T09:00', '1h', 537, undefined]],
    [
      { from: '2026-05-11T00:00:00Z', resolution: '5m' },
      ['05-11T00:00', '05-12T08:35', '5m', 391, undefined],
    ],
  ])('%j', (asked, [from, to, resolution, count, before]) => {
    const range = seriesRange(asked, NOW)
    expect([short(range.from), short(range.to), range.resolution]).toEqual([from, to, resolution])
    expect(range.begins).toHaveLength(count)
    expect(range.begins[0]).toEqual(range.from)
    expect(short(range.previous?.[0])).toBe(before)
  })

  test.each<[AskedRange, string, string]>([
    [{ from: '2026-05-12T08:00:00Z', to: '2026-05-12T07:00:00Z' }, 'from', 'not before'],
    [{ to: '2026-05-14T00:00:00Z' }, 'to', 'in the future'],
    [{ from: '2016-05-12T00:00:00Z' }, 'from', '400 days'],
    [
      { from: '2026-05-09T00:00:00Z', to: '2026-05-09T06:00:00Z', resolution: '5m' },
      'from',
      '2 days',
    ],
    [{ from: '2026-04-10T00:00:00Z', resolution: '1h' }, 'resolution', 'at most 600'],
    // A leap second.
    [{ from: '2016-12-31T23:59:60Z' }, 'from', 'not a time'],
  ])('%j is refused: %s', (asked, field, text) => {
    const fault = expect.objectContaining({
      field,
      message: expect.stringContaining(text) as string,
    })
    expect(() => seriesRange(asked, NOW)).toThrow(
      expect.objectContaining({ name: 'Refusal', faults: [fault] }),
    )
  })
})

const textOf = (pieces: readonly Piece[]) =>
  pieces.map(({ resolution, from, to }) => `${resolution} ${short(from)} ${short(to)}`)

describe('pieces', () => {
  test.each<[string, string, string[]]>([
    ['10T00:00', '12T00:00', ['1d 05-10T00:00 05-12T00:00']],
    [
      '10T22:00',
      '12T01:00',
      ['1h 05-10T22:00 05-11T00:00', '1d 05-11T00:00 05-12T00:00', '1h 05-12T00:00 05-12T01:00'],
    ],
    [
      '11T08:35',
      '11T10:05',
      ['5m 05-11T08:35 05-11T09:00', '1h 05-11T09:00 05-11T10:00', '5m 05-11T10:00 05-11T10:05'],
    ],
    ['11T08:35', '11T08:45', ['5m 05-11T08:35 05-11T08:45']],
    ['11T08:00', '11T08:00', []],
  ])('%s to %s', (from, to, pieces) => {
    const at = (text: string) => new Date(`2026-05-${text}:00Z`)
    expect(textOf(piecesOf(at(from), at(to)))).toEqual(pieces)
  })

  test('the periods of a summary reach the present, and comparisons end with the counted time', () => {
    const [day, week, month] = summaryPeriods(NOW, new Date('2026-05-12T08:31:55.000Z'))
    expect(textOf(day?.shown ?? [])).toEqual([
      '1h 05-11T09:00 05-12T00:00',
      '1d 05-12T00:00 05-13T00:00',
    ])
    expect(textOf(day?.counted ?? [])).toEqual([
      '5m 05-11T08:30 05-11T09:00',
      '1h 05-11T09:00 05-12T08:00',
      '5m 05-12T08:00 05-12T08:30',
    ])
    expect(textOf(week?.shown ?? [])).toEqual([
      '1h 05-05T09:00 05-06T00:00',
      '1d 05-06T00:00 05-13T00:00',
    ])
    expect(textOf(week?.before ?? [])).toEqual([
      '1h 04-28T08:00 04-29T00:00',
      '1d 04-29T00:00 05-05T00:00',
      '1h 05-05T00:00 05-05T08:00',
    ])
    expect(textOf(month?.shown ?? [])).toEqual(['1d 04-13T00:00 05-13T00:00'])
    expect(textOf(month?.counted ?? [])).toEqual(['1d 04-12T00:00 05-12T00:00'])
    expect(textOf(month?.before ?? [])).toEqual(['1d 03-13T00:00 04-12T00:00'])
  })
})
