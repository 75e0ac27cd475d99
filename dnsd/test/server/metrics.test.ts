import { expect, it } from 'vitest'
import { describedMetrics, presentMetrics } from '../../../test/metrics-page.ts'
import { Metrics } from '../../src/metrics/metrics.ts'
import { createRateLimitTable, SharedCounters } from '../../src/server/index.ts'
import { PostgresFollower, SILENT_STORE, ZoneStore } from '../../src/store/index.ts'
import { TransferMetrics } from '../../src/transfer/transfer-metrics.ts'

const PAGE = new URL('../../../docs/reference/dns-metrics.md', import.meta.url)
const PREFIX = 'homing_dnsd_'

/** All metrics of a daemon; some have labels. */
function daemon() {
  const store = new ZoneStore()
  const counters = new SharedCounters(1)
  const metrics = new Metrics({
    counters,
    row: counters.row(0),
    limits: createRateLimitTable(),
    table: store.zones.table,
  })
  const follower = new PostgresFollower({ url: () => undefined, store, events: SILENT_STORE })
  const disk = { status: { snapshot: undefined, logBytes: 0, isLogging: true } }
  metrics.watchFeed(store, follower, disk)
  metrics.watchWorkers({ answering: { dgram: 1, batch: 0 } })
  metrics.watchCounts({
    tables: [],
    counts: { waitingSeconds: 0 },
    spool: { size: 0, bytes: 0 },
    live: { watched: 0 },
  })
  new TransferMetrics(metrics.registry).watch({ load: { underWay: 0, waiting: 0 } })
  return { metrics, disk }
}

it('every metric and its labels are in the reference, and nothing else is', () => {
  const { metrics } = daemon()
  const present = presentMetrics(metrics.registry, PREFIX)
  for (const { name } of present) expect(name.startsWith(PREFIX)).toBe(true)
  expect(describedMetrics(PAGE).sort()).toEqual(present.map(({ row }) => row).sort())
})

it('shows known values and nothing for unknown ones', async () => {
  const { metrics, disk } = daemon()
  const lines = async () => (await metrics.registry.metrics()).split('\n')
  const before = await lines()
  expect(
    before.filter((line) => /^homing_dnsd_(snapshot_generation|lag_seconds) /.test(line)),
  ).toEqual([])
  expect(before).toContain('homing_dnsd_source_state{state="away"} 1')
  Object.assign(disk.status, { snapshot: { generation: 7, bytes: 100 }, isLogging: false })
  metrics.server.connectionOpened()
  metrics.server.connectionOpened()
  metrics.server.connectionClosed('idle')
  const answered = { transport: 'tcp', qtype: 1, rcode: 'NOERROR', octets: 60 } as const
  metrics.server.answered({ ...answered, truncated: false, cookie: 'valid' })
  metrics.server.answered({ ...answered, truncated: false })
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'homing_dnsd_snapshot_generation 7',
      'homing_dnsd_log_writable 0',
      'homing_dnsd_tcp_connections 1',
      'homing_dnsd_tcp_closed_total{reason="idle"} 1',
      'homing_dnsd_cookies_total{standing="valid"} 1',
      'homing_dnsd_cookies_total{standing="client"} 0',
      'homing_dnsd_queries_total{transport="tcp",rcode="NOERROR",type="A"} 2',
      'homing_dnsd_workers{transport="dgram"} 1',
    ]),
  )
})
