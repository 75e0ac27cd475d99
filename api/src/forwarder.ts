/**
 * The web-forwarding server: redirects, and pages with a frame, for domains that their owners forward. It follows the
 * forward feed and answers from memory. With a snapshot on disk it also starts while PostgreSQL is not available.
 */
import { once } from 'node:events'
import { forwarderLoader } from './config/forwarder.ts'
import { databaseUrlOf } from './config/database-url.ts'
import { ForwardFollower } from './forwarder/feed/follower.ts'
import { ForwardTable } from './forwarder/forward-table.ts'
import { HitCounter } from './forwarder/hit-counter.ts'
import { HitWriter } from './forwarder/hit-writer.ts'
import { forwarderMetrics } from './forwarder/metrics.ts'
import { createForwardServer } from './forwarder/server.ts'
import { createServicePages } from './forwarder/service-pages.ts'
import { SnapshotFile } from './forwarder/snapshot-file.ts'
import { SnapshotKeeper, thisMoment } from './forwarder/snapshot-keeper.ts'
import { createMetrics } from './integrations/metrics.ts'
import { serveMetrics } from './integrations/metrics-server.ts'
import { createLog } from './process/log.ts'
import { runUntilStopped } from './process/life.ts'

/** How late a time of grace can end. */
const SWEEP_EVERY_MS = 1_000
/** A stop waits this long for requests that have not arrived completely. */
const REQUESTS_LIMIT_MS = 3_000

const config = forwarderLoader.loadOrExit()
const log = createLog(config, 'forwarder')

const table = new ForwardTable()
const hits = new HitCounter()
const file = new SnapshotFile(config.dataDir)
const snapshot = new SnapshotKeeper({
  table,
  file,
  events: {
    failed: (error) => log.error({ err: error }, 'the snapshot cannot be written; trying again'),
  },
})
const follower = new ForwardFollower({
  url: databaseUrl,
  table,
  events: {
    applied: () => snapshot.changed(),
    reread(reason, names, ms) {
      metrics.reread(reason)
      snapshot.changed()
      log.info({ reason, names, ms: Math.round(ms) }, 'read the whole forward feed')
    },
    skipped: (name, reason) => log.warn({ name, reason }, 'a forward cannot be served'),
    connected: () => log.info('following the forward feed'),
    lost: (error) => log.warn({ err: error }, 'PostgreSQL is not available; answering from memory'),
  },
})
const hitWriter = new HitWriter({
  url: databaseUrl,
  counter: hits,
  onError: (error) => log.warn({ err: error }, 'hits cannot be stored; they stay in memory'),
})
const registry = createMetrics()
const metrics = forwarderMetrics(registry, { table, follower, snapshot, hits })
const server = createForwardServer({
  table,
  pages: createServicePages(config),
  abuseEmail: config.abuseEmail,
  trustProxy: config.trustProxy,
  rateLimits: config.rateLimits,
  now: () => Date.now(),
  onHit: ({ id }) => hits.count(id, Date.now()),
  onAnswer: (status) => metrics.answered(status),
})
const sweeps = setInterval(() => {
  if (table.sweep() > 0) snapshot.changed()
}, SWEEP_EVERY_MS)

await runUntilStopped(log, {
  async start() {
    const { forwardHost: host, forwardPort: port, forwardMetricsPort: metricsPort } = config
    restoreSnapshot()
    if (metricsPort !== undefined) await serveMetrics(metricsPort, registry)
    server.listen(port, host)
    await once(server, 'listening')
    log.info(`listening on ${host} port ${port}`)
    follower.start()
    hitWriter.start()
  },
  async stop() {
    clearInterval(sweeps)
    // Idle connections are closed immediately, active ones after their answer.
    server.close()
    const late = setTimeout(() => server.closeAllConnections(), REQUESTS_LIMIT_MS)
    // Most hits are stored while the last requests are answered: a supervisor may not wait for those.
    await Promise.all([once(server, 'close'), follower.stop(), hitWriter.write()])
    clearTimeout(late)
    await Promise.all([hitWriter.stop(), snapshot.stop()])
  },
})

/** A missing or damaged snapshot is not an error: the feed has everything. */
function restoreSnapshot(): void {
  try {
    const read = file.read(thisMoment())
    if (read === undefined) return
    table.restore(read.version, read.names, read.graces)
    snapshot.restored(read.writtenAtMs)
    log.info({ names: table.size }, 'answering from the snapshot')
  } catch (error) {
    log.error({ err: error }, 'the snapshot cannot be used; waiting for PostgreSQL instead')
  }
}

/** Read for each connection: the embedded database has an address only while the service runs. @throws NoDatabase */
function databaseUrl(): string {
  const { forwarderDatabaseUrl, dataDir } = config
  return databaseUrlOf({ databaseUrl: forwarderDatabaseUrl, dataDir })
}
