import type { MonitorIncident, UptimeHistory, UptimeSummary } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { useUptimeWorld } from '../../../test/support/uptime-world.ts'

const t = useUptimeWorld()
const HOUR_MS = 3_600_000

describe('what it found', () => {
  test('incidents, results, history and summary agree', async () => {
    await t.turn(true)
    await t.put({ kind: 'https', interval_seconds: 3600 })
    await t.check('up', 0)
    await t.check('up', HOUR_MS)
    await t.check('down', HOUR_MS)
    await t.check('down', 10_000)
    await t.check('up', HOUR_MS)
    const monitor = await t.read()
    expect(monitor).toMatchObject({ state: 'up', last_latency_ms: 20, cause: null })
    const incidents = (await t.about('GET', '/incidents')).json<MonitorIncident[]>()
    expect(incidents).toEqual([
      {
        id: expect.any(String),
        state: 'down',
        started_at: expect.any(String),
        ended_at: monitor.state_since,
        duration_seconds: 3_610,
        cause: 'timeout',
        cause_text: 'The server did not answer within 10 s.',
      },
    ])
    const results = (await t.about('GET', '/results')).json<
      { is_up: boolean; status: number | null }[]
    >()
    expect(results.map(({ is_up }) => is_up)).toEqual([true, false, false, true, true])
    const history = (await t.about('GET', '/history')).json<UptimeHistory>()
    expect(history).toMatchObject({ resolution: '5m', uptime: monitor.uptime_24h })
    expect(history.parts).toHaveLength(289)
    const sum = (field: 'up_seconds' | 'down_seconds' | 'checks' | 'failures') =>
      Math.round(history.parts.reduce((total, part) => total + part[field], 0))
    expect(sum('down_seconds')).toBe(3_610)
    // The time that the test itself takes counts.
    expect(sum('up_seconds')).toBeGreaterThanOrEqual(7_200)
    expect(sum('up_seconds')).toBeLessThan(7_230)
    expect([sum('checks'), sum('failures')]).toEqual([5, 2])
    expect(monitor.uptime_24h).toBe(66.6)
    const summary = (await t.as('GET', '/api/uptime/dashboard')).json<UptimeSummary>()
    expect(summary).toEqual({
      overall_uptime_24h: 66.6,
      uptime_by_hour: expect.any(Array),
      overall_uptime_7d: 66.6,
      overall_uptime_30d: 66.6,
      domains_monitored: 1,
      domains_up: 1,
      domains_down: 0,
    })
    // Down in the last hour, and in ten seconds of the one before.
    const [before, last] = summary.uptime_by_hour.slice(-2)
    expect(last).toBeLessThan(1)
    expect(before).toBeGreaterThan(99)
    expect(before).toBeLessThan(100)
    expect(summary.uptime_by_hour.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => null))
    expect((await t.as('GET', '/api/uptime/monitors')).json()).toEqual([await t.read()])
  })

  test('before there is any data', async () => {
    expect((await t.as('GET', '/api/uptime/dashboard')).json()).toEqual({
      overall_uptime_24h: null,
      uptime_by_hour: Array.from({ length: 24 }, () => null),
      overall_uptime_7d: null,
      overall_uptime_30d: null,
      domains_monitored: 0,
      domains_up: 0,
      domains_down: 0,
    })
    expect((await t.about('GET', '/incidents')).json()).toEqual([])
    expect((await t.about('GET', '/results')).json()).toEqual([])
    expect((await t.about('GET', '/history')).json()).toMatchObject({ uptime: null, parts: [] })
  })

  test.each([
    ['from=2016-05-12T00:00:00Z', 'from', '400 days'],
    ['from=2026-05-12T00:00:00Z&to=2026-05-11T00:00:00Z', 'from', 'before to'],
    ['to=2099-01-01T00:00:00Z', 'to', 'future'],
    [
      `from=${new Date(Date.now() - 30 * 86_400_000).toISOString()}&resolution=5m`,
      'resolution',
      '400',
    ],
    ['resolution=1m', 'resolution', ''],
    ['from=yesterday', 'from', ''],
  ])('the history of %s is refused', async (range, field, words) => {
    const problem = problemOf(await t.about('GET', `/history?${range}`))
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ field, message: expect.stringContaining(words) }],
    })
  })

  test('incidents can be filtered and paged', async () => {
    await t.turn(true)
    await t.put({ kind: 'https' })
    await t.check('up', 0)
    for (let n = 0; n < 2; n += 1) {
      await t.check('down')
      await t.check('down', 10_000)
      await t.check('up')
    }
    // Nobody checked for ten minutes.
    await t.check('up', 600_000)
    const list = async (search: string) => {
      const reply = await t.about('GET', `/incidents?${search}`)
      return [
        reply.headers['content-range'],
        reply.json<MonitorIncident[]>().map(({ state }) => state),
      ]
    }
    expect(await list('range=[0,0]')).toEqual(['incidents 0-0/3', ['unknown']])
    expect(await list('filter={"state":"down"}')).toEqual(['incidents 0-1/2', ['down', 'down']])
    expect(problemOf(await t.about('GET', '/incidents?filter={"state":"up"}')).status).toBe(422)
  })
})
