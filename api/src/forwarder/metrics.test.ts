import { expect, test } from 'vitest'
import { describedMetrics, presentMetrics } from '../../../test/metrics-page.ts'
import { createMetrics } from '../integrations/metrics.ts'
import { forwarderMetrics } from './metrics.ts'

const PAGE = new URL('../../../docs/reference/forward-metrics.md', import.meta.url)
const PREFIX = 'homing_forward_'

function openMetrics() {
  const registry = createMetrics()
  const parts = {
    table: { size: 3 },
    follower: { ageSeconds: 0.5 as number | undefined },
    snapshot: { writtenAtMs: undefined as number | undefined, isBehind: true },
    hits: { waiting: 4, dropped: 5 },
  }
  return { registry, parts, metrics: forwarderMetrics(registry, parts) }
}

test('every metric and its labels are in the reference, and nothing else is', () => {
  const present = presentMetrics(openMetrics().registry, PREFIX)
  const ours = present.filter(({ name }) => name.startsWith(PREFIX)).map(({ row }) => row)
  expect(describedMetrics(PAGE).toSorted()).toEqual(ours.toSorted())
})

test('answers, reads of the feed, and the state of the parts', async () => {
  const { registry, parts, metrics } = openMetrics()
  for (const status of [301, 404, 301]) metrics.answered(status)
  metrics.reread('feed-changed')
  const lines = async () => (await registry.metrics()).split('\n')
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'homing_forward_requests_total{status="301"} 2',
      'homing_forward_requests_total{status="404"} 1',
      'homing_forward_feed_reads_total{reason="feed-changed"} 1',
      'homing_forward_names 3',
      'homing_forward_feed_age_seconds 0.5',
      'homing_forward_snapshot_age_seconds Nan',
      'homing_forward_hits_waiting 4',
      'homing_forward_hits_dropped_total 5',
    ]),
  )
  parts.follower.ageSeconds = undefined
  Object.assign(parts.snapshot, { writtenAtMs: Date.now() - 60_000, isBehind: false })
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'homing_forward_feed_age_seconds Nan',
      'homing_forward_snapshot_age_seconds 0',
    ]),
  )
})
