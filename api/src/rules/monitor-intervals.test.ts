import { describe, expect, test } from 'vitest'
import { changesOf, type Move, type PresentInterval } from './monitor-intervals.ts'
import { NO_TIME } from './uptime.ts'

const to = (state: Move['state'], since: number): Move => ({
  state,
  since,
  cause: state === 'down' ? 'timeout' : null,
  causeText: null,
})
const up: PresentInterval = {
  id: '7',
  state: 'up',
  since: 100,
  before: { ...NO_TIME, downMs: 40 },
}
const nothing = { ended: null, replaced: null, begun: [] }

describe('the first interval', () => {
  test('begins with no time before it', () => {
    expect(changesOf(null, [to('up', 5)])).toEqual({
      ...nothing,
      begun: [{ ...to('up', 5), until: null, before: NO_TIME }],
    })
  })

  test('is not a pause', () => {
    expect(changesOf(null, [to('off', 5)])).toEqual(nothing)
  })
})

test('a move ends the present interval and adds its time to the sums', () => {
  expect(changesOf(up, [to('down', 160)])).toEqual({
    ended: { id: '7', until: 160 },
    replaced: null,
    begun: [{ ...to('down', 160), until: null, before: { ...NO_TIME, upMs: 60, downMs: 40 } }],
  })
})

test('of several moves, each ends where the next begins', () => {
  const { ended, begun } = changesOf(up, [to('unknown', 150), to('up', 170)])
  expect(ended).toEqual({ id: '7', until: 150 })
  expect(begun).toEqual([
    { ...to('unknown', 150), until: 170, before: { ...NO_TIME, upMs: 50, downMs: 40 } },
    {
      ...to('up', 170),
      until: null,
      before: { upMs: 50, downMs: 40, unknownMs: 20, maintenanceMs: 0 },
    },
  ])
})

test('a move to the present state changes nothing', () => {
  expect(changesOf(up, [to('up', 160)])).toEqual(nothing)
})

test('a move that is not later replaces the present interval, and a later one then ends it', () => {
  expect(changesOf(up, [to('down', 100)])).toEqual({
    ...nothing,
    replaced: { ...to('down', 100), id: '7', until: null },
  })
  const { ended, replaced, begun } = changesOf(up, [to('down', 90), to('up', 130)])
  expect(ended).toBeNull()
  expect(replaced).toEqual({ ...to('down', 100), id: '7', until: 130 })
  expect(begun).toEqual([
    { ...to('up', 130), until: null, before: { ...NO_TIME, downMs: 40 + 30 } },
  ])
})
