import { afterAll, beforeAll, expect, test } from 'vitest'
import { describedMetrics, presentMetrics } from '../../../test/metrics-page.ts'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'

const PAGE = new URL('../../../docs/reference/api-metrics.md', import.meta.url)
const PREFIX = 'homing_api_'

let world: ApiWorld
beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true })
})
afterAll(() => world.end())

test('every metric and its labels are in the reference, and nothing else is', () => {
  const present = presentMetrics(world.app.metricsRegistry, PREFIX)
  const ours = present.filter(({ name }) => name.startsWith(PREFIX)).map(({ row }) => row)
  expect(describedMetrics(PAGE).sort()).toEqual(ours.sort())
  const others = present.filter(({ name }) => !name.startsWith(PREFIX)).map(({ name }) => name)
  expect(others.filter((name) => !/^(process|nodejs)_/.test(name))).toEqual([])
  expect(others).toContain('nodejs_eventloop_lag_seconds')
})

test('refusals, waiting calls and open connections', async () => {
  const forgot = () =>
    call(world.app, 'POST', '/api/forgot-password', {
      body: { email: 'nobody@example.net' },
      ip: '198.51.100.1',
    })
  for (let n = 0; n < 6; n += 1) await forgot()
  const { text } = await call(world.app, 'GET', '/metrics')
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'homing_api_refused_total{limit="forgot-address"} 1',
      'homing_api_updates_waiting 0',
      'homing_api_database_waiting 0',
      'homing_api_database_connections{state="used"} 0',
      'homing_api_update_calls_dropped_total 0',
      'homing_api_connections 0',
      'homing_api_calls_under_way 0',
      'homing_api_request_duration_seconds_count{operation="forgotPassword",status="429"} 1',
    ]),
  )
})
