/**
 * Uptime monitoring in a worker.
 *
 * The scheduler claims due monitors, probes them, and gives their results to the recorder, which stores them in batches.
 * Before a failure is believed, the references must answer; while many monitors fail at once, failures count as unknown.
 * All state is in PostgreSQL: a worker that ends loses its leases, and others go on.
 */
import { hostname } from 'node:os'
import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import type { WorkerConfig } from '../config/worker.ts'
import type { OutgoingHttp } from '../integrations/outgoing-http/outgoing-http.ts'
import { repeat } from '../process/repeat.ts'
import type { Log } from '../process/log.ts'
import { DatabaseWatch } from './database-watch.ts'
import { LagWindow } from './lag-window.ts'
import { monitorMetrics } from './metrics.ts'
import { NetworkTrust } from './network-trust.ts'
import { placesFor } from './places.ts'
import { nameServersOf } from './probes/probe-dns.ts'
import { References } from './references.ts'
import { ResultRecorder } from './result-recorder.ts'
import { Scheduler } from './scheduler.ts'
import { keepMonitors } from './store/keep-monitors.ts'
import { rollUpChecks } from './store/roll-up.ts'
import { removeWorker, reportWorker } from './worker-report.ts'

export interface MonitoringOptions {
  readonly knex: Knex
  readonly config: Pick<
    WorkerConfig,
    'nameservers' | 'dnsHosts' | 'dnsPort' | 'monitorIntervalSeconds' | 'monitorReferences'
  >
  readonly outgoing: OutgoingHttp
  readonly registry: Registry
  readonly log: Log
  /** Identifies the worker; default: the host and the process. */
  readonly name?: string
  readonly places?: number
}

export interface Monitoring {
  /** Gives the checks under way back to other workers. */
  stop(): Promise<void>
}

/** A check takes at most 15 s, and may wait for references. */
const LEASE_MS = 30_000
const REPORT_EVERY_MS = 5_000
/** How late a monitor can follow its plan, its domain and its maintenance windows. */
const KEEP_EVERY_MS = 5_000
const ROLL_UP_EVERY_MS = 10 * 60_000

export function startMonitoring(options: MonitoringOptions): Monitoring {
  const { knex, config, outgoing, registry, log, places = placesFor() } = options
  const { name = `${hostname()} ${process.pid}` } = options
  const now = () => performance.now()
  const metrics = monitorMetrics(registry)
  const database = new DatabaseWatch(log, now)
  const references = new References({ urls: config.monitorReferences, outgoing, now })
  const trust = new NetworkTrust(references, log)
  const lag = new LagWindow()
  const recorder = { worker: name, intervalSeconds: config.monitorIntervalSeconds }
  const results = new ResultRecorder({
    knex,
    recorder,
    database,
    trust,
    metrics,
    log,
    now,
    leaseMs: LEASE_MS,
  })
  const sinceOutageMs = () => database.sinceOutageMs()
  const probes = { outgoing, dns: { servers: nameServersOf(config) }, sinceOutageMs }
  const scheduler = new Scheduler({
    knex,
    leaseMs: LEASE_MS,
    places,
    probes,
    references,
    results,
    database,
    lag,
    metrics,
    log,
    now,
  })
  const repeated = [
    repeat('report of monitoring', REPORT_EVERY_MS, reportNow, log),
    repeat('upkeep of monitors', KEEP_EVERY_MS, keep, log),
    repeat('roll-up of checks', ROLL_UP_EVERY_MS, rollUp, log),
  ]

  async function reportNow(): Promise<void> {
    const { lagMs, checks } = lag.summary(now())
    const isBlind = trust.isBlind || references.areFailing
    metrics.blind.set(isBlind ? 1 : 0)
    await reportWorker(knex, { name, lagMs, checksPerMinute: checks, isBlind })
  }

  async function keep(): Promise<void> {
    const kept = await keepMonitors(knex)
    if (Object.values(kept).some((count) => count > 0)) log.debug(kept, 'kept monitors')
  }

  async function rollUp(): Promise<void> {
    const days = await rollUpChecks(knex)
    if (days.length > 0) log.info({ days }, 'rolled up checks')
  }

  return {
    async stop() {
      await Promise.all([scheduler.stop(), ...repeated.map((each) => each.stop())])
      await removeWorker(knex, name).catch(() => undefined)
    },
  }
}
