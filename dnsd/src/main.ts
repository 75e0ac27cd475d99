/**
 * The authoritative DNS daemon. It answers from memory, keeps a copy of its zones on disk, and follows the
 * feed in PostgreSQL. While PostgreSQL is unavailable, it answers with the zones that it has.
 */
import { MAIN_ROW, prepareAnswering } from './answering.ts'
import { ConfigError, EXIT_CONFIG, loadConfig } from './config.ts'
import { fanOut } from './fan-out.ts'
import { createLog, readLogLevelAgain, storeLog } from './log.ts'
import { serveMetrics } from './metrics-server.ts'
import { Metrics } from './metrics/metrics.ts'
import { QueryCounting } from './query-counting.ts'
import { createRateLimitTable, SharedCounters } from './server/index.ts'
import { LiveSettings } from './settings/live.ts'
import { SettingsError } from './settings/settings.ts'
import { stopSignal } from './stop-signal.ts'
import {
  lockFolder,
  PostgresFollower,
  SnapshotAndLog,
  type StoreEvents,
  ZoneStore,
} from './store/index.ts'
import type { TransferEvents } from './transfer/events.ts'
import { Secondaries } from './transfer/secondaries.ts'
import { transferLog } from './transfer/transfer-log.ts'
import { TransferMetrics } from './transfer/transfer-metrics.ts'

// The process stops when asked to, even if the disk does not respond.
const STOP_LIMIT_MS = 8_000

const stop = stopSignal()
const config = configOrExit()
const log = createLog(config)

try {
  const stopServing = await serve()
  log.info(`${await stop}: stopping.`)
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  await stopServing()
  process.exit(0)
} catch (error) {
  // Errors that the operator can fix get one line. Anything else is a bug and is thrown with its stack.
  const { code, message } = error as NodeJS.ErrnoException
  const isSetting = error instanceof ConfigError || error instanceof SettingsError
  if (code === undefined && !isSetting) throw error
  log.fatal(message)
  process.exit(isSetting ? EXIT_CONFIG : 1)
}

/** @returns a function that stops everything in order */
async function serve(): Promise<() => Promise<void>> {
  const settings = new LiveSettings(config.settingsFile)
  process.on('SIGHUP', () => {
    settings.reload(log)
    readLogLevelAgain(log, loadConfig)
  })
  const counters = new SharedCounters(MAIN_ROW + 1 + config.workers)
  const rateLimitTable = createRateLimitTable()
  const store = new ZoneStore()
  const { zones } = store
  const { table } = zones
  const row = counters.row(MAIN_ROW)
  const metrics = new Metrics({ counters, row, limits: rateLimitTable, table })
  const events = fanOut<StoreEvents>(storeLog(log), metrics.store)
  const counting = config.countsQueries
    ? new QueryCounting({ config, settings, table, metrics, log })
    : undefined

  const lock = lockFolder(config.folder)
  const parts = { config, settings, zones, counters, rateLimitTable, metrics, counting, log }
  const answering = prepareAnswering(parts)
  const disk = await SnapshotAndLog.open({ folder: config.folder, store, events })
  const knowsZones = !store.isEmpty
  if (!knowsZones) requireDatabase()

  const transferMetrics = new TransferMetrics(metrics.registry)
  const secondaries = new Secondaries({
    store,
    history: disk.history,
    settings,
    hosts: config.hosts,
    events: fanOut<TransferEvents>(transferLog(log), transferMetrics.events),
    onProblem: (text) => log.error(text),
  })
  transferMetrics.watch(secondaries.transfers)

  const server = await answering.start(secondaries.transfers)
  const { hosts } = config
  log.info({ hosts, port: server.port }, `Answering on ${hosts.join(', ')} port ${server.port}.`)

  const follower = new PostgresFollower({ url: config.databaseUrl, store, events })
  follower.start()
  metrics.watchFeed(store, follower, disk)
  counting?.start()
  const { metricsPort } = config
  const metricsServer =
    metricsPort === undefined ? undefined : await serveMetrics(metricsPort, metrics.registry, store)

  if (knowsZones) tellReady()
  else void follower.current.then(tellReady).then(() => disk.snapshot())
  // Secondaries delete a zone that is missing from the catalog, so the catalog is not served before all
  // zones are loaded.
  if (knowsZones && !store.isIncomplete) void secondaries.begin()
  else void follower.current.then(() => secondaries.begin())

  return async () => {
    secondaries.close()
    await Promise.all([server.close(), follower.stop(), metricsServer?.close()])
    await Promise.all([counting?.stop(), disk.close()])
    lock.release()
  }
}

/** @throws ConfigError when there are no zones on disk and no database to load them from */
function requireDatabase(): void {
  if (config.databaseUrl() !== undefined) return
  throw new ConfigError(
    'DATABASE_URL',
    undefined,
    `a URL such as postgresql://user:password@host:5432/database, as there are no zones in ${config.folder} yet`,
  )
}

/** Reports readiness to the log and to a supervisor that waits for it. */
function tellReady(): void {
  log.info('Ready.')
  process.send?.({ ready: true })
}

function configOrExit() {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(EXIT_CONFIG)
  }
}
