import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Metrics } from './metrics.ts'
import { createRateLimitTable, SharedCounters } from './server/index.ts'
import { PostgresFollower, SILENT_STORE, ZoneStore } from './store/index.ts'
import { TransferMetrics } from './transfer/transfer-metrics.ts'

const PAGE = fileURLToPath(new URL('../../docs/reference/dns-metrics.md', import.meta.url))
const PREFIX = 'homing_dnsd_'

/** All metrics of a daemon, of which some have labels. */
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
  metrics.watchCounts([], { waitingSeconds: 0 })
  new TransferMetrics(metrics.registry).watch({ load: { underWay: 0, waiting: 0 } })
  return { metrics, disk }
}

/** The rows of the page's tables: metric and labels. */
function described(): string[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)
  return [...rows].map(([, name, labels = '']) => `${name} ${labels.replaceAll('`', '').trim()}`)
}

it('every metric and its labels are in the reference, and nothing else is', () => {
  const { metrics } = daemon()
  const present = metrics.registry.getMetricsAsArray().map((metric) => {
    // The library's own type does not say that each has its labels.
    const {
      name,
      type,
      labelNames = [],
    } = metric as unknown as {
      name: string
      type?: string
      labelNames?: readonly string[]
    }
    const labels = type === 'histogram' ? ['le'] : labelNames
    expect(name.startsWith(PREFIX)).toBe(true)
    return `${name.slice(PREFIX.length)} ${labels.join(', ')}`
  })
  expect(described().sort()).toEqual(present.sort())
})

it('shows what is known and nothing in place of what is not', async () => {
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
