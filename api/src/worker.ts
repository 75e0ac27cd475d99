/**
 * The worker process: it sends mail, applies plans, removes expired data and monitors domains, all from jobs and tables
 * in PostgreSQL.
 */
import { Counter, Gauge } from 'prom-client'
import { workerLoader } from './config/worker.ts'
import { plainHttpWarning } from './config/web.ts'
import { untilDatabaseAnswers } from './database/silence.ts'
import { connect } from './database/connect.ts'
import { keepPartitions } from './feed/partitions.ts'
import { outgoingHttpOf } from './integrations/outgoing-http/configured.ts'
import { createMailer } from './integrations/mailer.ts'
import { createMetrics } from './integrations/metrics.ts'
import { serveMetrics } from './integrations/metrics-server.ts'
import { lazyNetworkOrigins } from './integrations/network-origins.ts'
import { checkForwards } from './jobs/check-forwards.ts'
import { expireUpdateCalls } from './jobs/expire-update-calls.ts'
import { jobHandlers } from './jobs/job-handlers.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { notifyChangedAddresses } from './jobs/notices/changed-addresses.ts'
import { sendMonitorNotices } from './jobs/notices/monitors.ts'
import { notifyExpiringKeys } from './jobs/notices/expiring-keys.ts'
import { notifySilentDomains } from './jobs/notices/silent-domains.ts'
import { startPaymentJobs } from './jobs/payments.ts'
import { repeat, type Repeated } from './process/repeat.ts'
import { reencryptSecrets } from './jobs/reencrypt-secrets.ts'
import { expireLiveQueries } from './jobs/expire-live-queries.ts'
import { checkDueZones } from './jobs/own-zones/check-due.ts'
import { countClaims, ZoneMetrics } from './jobs/own-zones/metrics.ts'
import { keepZoneTerms } from './jobs/own-zones/terms.ts'
import { rollUpFacets } from './jobs/roll-up-facets.ts'
import { rollUpQueries } from './jobs/roll-up-queries.ts'
import { runExpiry } from './jobs/run-expiry.ts'
import { type Monitoring, startMonitoring } from './monitoring/start-monitoring.ts'
import { createLog } from './process/log.ts'
import { databaseUrlOrExit, runUntilStopped } from './process/life.ts'
import { createJobServices } from './compose.ts'

const PARTITIONS_EVERY_MS = 60_000
const EXPIRY_EVERY_MS = 10 * 60_000
const CALL_EXPIRY_EVERY_MS = 6 * 3_600_000
/** Clients' locations are kept for about this long. */
const ROLL_UP_EVERY_MS = 60_000
const LIVE_EXPIRY_EVERY_MS = 60_000
/**
 * Replicas of the API can continue to encrypt with `SECRET_KEY_PREVIOUS` until they restart, so one pass is not
 * enough.
 */
const REENCRYPT_EVERY_MS = 5 * 60_000
/** In most cases, domains that change together, such as those behind one router, are in one mail. */
const ADDRESS_NOTICES_EVERY_MS = 5 * 60_000
const NOTICES_EVERY_MS = 3_600_000
/** How late a notification about a monitor can be. */
const MONITOR_NOTICES_EVERY_MS = 2_000
/** Each target is checked once a day; this is how often the due ones are looked up. */
const FORWARD_CHECKS_EVERY_MS = 10 * 60_000
/** How late an automatic check of a delegation can be. */
const ZONE_CHECKS_EVERY_MS = 5_000
/** How late an own zone follows the plan of its account, and a claim expires. */
const ZONE_TERMS_EVERY_MS = 60_000
/** A job that takes longer is abandoned for now, and retried after the next start. */
const JOB_STOP_LIMIT_MS = 1_500

const config = workerLoader.loadOrExit()
const log = createLog(config, 'worker')
const warning = plainHttpWarning(config)
if (warning !== undefined) log.warn(warning)
const url = databaseUrlOrExit(config)
const knex = connect({ url, maxConnections: 5, applicationName: 'homing-worker' })
// Checks must not wait for connections that long jobs use.
const monitoringKnex = connect({
  url,
  maxConnections: 3,
  applicationName: 'homing-worker-monitoring',
})
const outgoing = outgoingHttpOf(config)
const services = createJobServices({ config, knex, log, outgoing })
const mailer = createMailer(config)
const networkOrigins = lazyNetworkOrigins({
  countryFile: config.countryMmdb,
  asnFile: config.asnMmdb,
})
const runner = new JobRunner({ url, onError: (error) => log.warn({ err: error }, 'job queue') })

const registry = createMetrics()
const jobs = new Counter({
  name: 'homing_worker_jobs_total',
  help: 'Job runs, by kind and outcome.',
  labelNames: ['job', 'outcome'],
  registers: [registry],
})
const secrets = new Gauge({
  name: 'homing_worker_stored_secrets',
  help: 'Encrypted secrets in the database, by encryption key, as of the last pass. Only while SECRET_KEY_PREVIOUS is set.',
  labelNames: ['key'],
  registers: [registry],
})
const zoneMetrics = new ZoneMetrics(registry)
const repeated: Repeated[] = []
let monitoring: Monitoring | undefined

await runUntilStopped(log, {
  async start(stopping) {
    await untilDatabaseAnswers(knex, stopping, (error) =>
      log.warn({ err: error }, 'the database is not available; waiting for it'),
    )
    if (stopping.aborted) return
    await runner.start()
    await runner.handleAll(jobHandlers(services, mailer), (job, error) => {
      jobs.inc({ job, outcome: error === undefined ? 'done' : 'failed' })
      if (error !== undefined) log.warn({ err: error }, `${job} failed; it will be tried again`)
    })
    repeated.push(
      repeat('partition upkeep', PARTITIONS_EVERY_MS, upkeep, log),
      repeat('expiry', EXPIRY_EVERY_MS, async () => runExpiry(services), log),
      repeat('expiry of update calls', CALL_EXPIRY_EVERY_MS, callExpiry, log),
      repeat('notices of addresses', ADDRESS_NOTICES_EVERY_MS, addressNotices, log),
      repeat('notices of keys', NOTICES_EVERY_MS, keyNotices, log),
      repeat('notices of silence', NOTICES_EVERY_MS, silenceNotices, log),
      repeat('notices of monitors', MONITOR_NOTICES_EVERY_MS, monitorNotices, log),
      repeat(
        'checks of forward targets',
        FORWARD_CHECKS_EVERY_MS,
        () => forwardChecks(stopping),
        log,
      ),
      repeat('checks of own zones', ZONE_CHECKS_EVERY_MS, () => zoneChecks(stopping), log),
      repeat('terms of own zones', ZONE_TERMS_EVERY_MS, zoneTerms, log),
      repeat('roll-up of query counts', ROLL_UP_EVERY_MS, rollUp, log),
      repeat('roll-up of query facets', ROLL_UP_EVERY_MS, () => rollUpFacets(knex), log),
      repeat('expiry of live queries', LIVE_EXPIRY_EVERY_MS, () => expireLiveQueries(knex), log),
    )
    repeated.push(...startPaymentJobs(services, registry))
    if (config.previousSecretKey !== undefined) {
      const rewrite = () => rewriteSecrets(stopping)
      repeated.push(repeat('rewriting of secrets', REENCRYPT_EVERY_MS, rewrite, log))
    }
    monitoring = startMonitoring({ knex: monitoringKnex, config, outgoing, registry, log })
    if (config.workerMetricsPort !== undefined) {
      await serveMetrics(config.workerMetricsPort, registry)
    }
    log.info('working')
  },
  async stop() {
    await Promise.all([
      runner.stop(JOB_STOP_LIMIT_MS),
      monitoring?.stop(),
      ...repeated.map((each) => each.stop()),
    ])
    mailer.close()
    await services.jobs.stop()
    await Promise.all([knex.destroy(), monitoringKnex.destroy()])
  },
})

async function upkeep(): Promise<void> {
  const done = await keepPartitions(knex, { retentionMs: config.changeRetentionMs })
  if (done.dropped.length > 0 || done.truncated.length > 0) log.info(done, 'old partitions dropped')
}

async function callExpiry(): Promise<void> {
  log.debug({ calls: await expireUpdateCalls(knex, services.now()) }, 'expired update calls')
}

async function addressNotices(): Promise<void> {
  log.debug({ mails: await notifyChangedAddresses(services) }, 'notified of changed addresses')
}

async function keyNotices(): Promise<void> {
  log.debug({ mails: await notifyExpiringKeys(services) }, 'notified of keys that expire')
}

async function silenceNotices(): Promise<void> {
  log.debug({ mails: await notifySilentDomains(services) }, 'notified of domains without updates')
}

async function monitorNotices(): Promise<void> {
  const mails = await sendMonitorNotices(services)
  if (mails > 0) log.debug({ mails }, 'notified of monitors')
}

async function forwardChecks(stopping: AbortSignal): Promise<void> {
  const done = await checkForwards({ ...services, outgoing }, stopping)
  if (done.changed > 0) log.info(done, 'targets of stealth forwards checked')
}

async function zoneChecks(stopping: AbortSignal): Promise<void> {
  const done = await checkDueZones(services, zoneMetrics, stopping)
  if (done.checked > 0) log.debug(done, 'delegations of own zones checked')
}

async function zoneTerms(): Promise<void> {
  const done = await keepZoneTerms(services)
  if (done.expired > 0 || done.settled > 0) log.info(done, 'terms of own zones applied')
  await countClaims(knex, zoneMetrics)
}

async function rollUp(): Promise<void> {
  log.debug({ queries: await rollUpQueries(knex, networkOrigins) }, 'rolled up')
}

async function rewriteSecrets(stopping: AbortSignal): Promise<void> {
  let found = await reencryptSecrets(services, stopping)
  if (found !== undefined && found.previous > 0) {
    log.info(found, 'stored secrets were encrypted again with SECRET_KEY')
    found = await reencryptSecrets(services, stopping)
  }
  if (found === undefined) return
  for (const [key, count] of Object.entries(found)) secrets.set({ key }, count)
  if (found.unknown > 0) {
    log.error(
      found,
      'stored secrets can be decrypted with neither SECRET_KEY nor SECRET_KEY_PREVIOUS',
    )
  }
  if (found.previous === 0)
    log.info(found, 'no stored secret is encrypted with SECRET_KEY_PREVIOUS')
}
