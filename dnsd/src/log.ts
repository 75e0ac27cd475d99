import { createRequire } from 'node:module'
import { pino, type Logger } from 'pino'
import type * as Pretty from 'pino-pretty'
import { type Config, ConfigError } from './config.ts'
import type { CountEvents } from './count-writing/query-counts.ts'
import type { LiveEvents } from './live-queries/index.ts'
import type { ServerEvents, WorkerEvents } from './server/index.ts'
import type { StoreEvents } from './store/index.ts'

/** Loaded only for a terminal. A service under a supervisor writes JSON. */
function prettyStream(options: Pretty.PrettyOptions): Pretty.PrettyStream {
  const { PinoPretty } = createRequire(import.meta.url)('pino-pretty') as typeof Pretty
  return PinoPretty(options)
}

/** The log, on stderr: readable on a terminal, JSON lines for machines. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const options = { name: 'dnsd', level: logLevel }
  // Synchronous, so that the last lines of a crashing process are not lost.
  if (logFormat === 'json') return pino(options, pino.destination({ fd: 2, sync: true }))
  return pino(
    options,
    prettyStream({ destination: 2, sync: true, ignore: 'pid,hostname', singleLine: true }),
  )
}

/**
 * Applies the log level that is configured now, or keeps the current one when the configuration is invalid.
 */
export function readLogLevelAgain(
  log: Pick<Logger, 'level' | 'error'>,
  load: () => Pick<Config, 'logLevel'>,
): void {
  try {
    log.level = load().logLevel
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    log.error(`${error.message}. The log level stays ${log.level}.`)
  }
}

/** Logs store events as sentences. */
export function storeLog(log: Logger): StoreEvents {
  return {
    source(state, why) {
      if (state !== 'away') log.info({ source: state }, `Following the database: ${state}.`)
      else if (why === undefined) log.warn({ source: state }, 'The database is away.')
      else log.warn({ source: state, err: why }, `The database is away: ${why.message}`)
    },
    resync(zone, reason) {
      if (reason === 'new-zone') log.info({ zone }, `Zone ${zone} is new.`)
      else log.warn({ zone, reason }, `Zone ${zone} must be read completely: ${reason}.`)
    },
    applied: (zone, sets) => log.debug({ zone, sets }, `Zone ${zone} changed.`),
    loaded(zone, names, tookMs) {
      const ms = Math.round(tookMs)
      log.info({ zone, names, ms }, `Zone ${zone} was read: ${names} names in ${ms} ms.`)
    },
    removed: (zone) => log.warn({ zone }, `Zone ${zone} was deleted and is no longer served.`),
    skipped: (zone, owner, reason) =>
      log.error({ zone, owner, reason }, `${owner} in zone ${zone} cannot be served: ${reason}`),
    finding: (text) => log.warn(text),
    diskError: (file, err) =>
      log.error(
        { file, err },
        `The ${file} cannot be written; dnsd continues to answer without it.`,
      ),
    snapshot(bytes, tookMs) {
      const ms = Math.round(tookMs)
      log.info({ bytes, ms }, `A snapshot of ${bytes} octets was written in ${ms} ms.`)
    },
  }
}

/** Logs events of the UDP worker threads. */
export function workerLog(log: Logger): WorkerEvents {
  return {
    workerDied(worker, err) {
      const why = err === undefined ? '' : `: ${err.message}`
      log.error({ worker, err }, `Worker ${worker} died and is restarted${why}`)
    },
    workerFellBack: (worker) =>
      log.warn({ worker }, `Worker ${worker} now answers through node:dgram.`),
    workerFault: (err) => log.error({ err }, 'A request could not be answered.'),
  }
}

/**
 * Logs how writing the query counts goes. Counts are written every ten seconds, so only unusual events are
 * logged.
 */
export function countLog(log: Logger): CountEvents {
  let isWaiting = false
  return {
    countsWritten({ queries, rows }) {
      const level = isWaiting ? 'info' : 'debug'
      isWaiting = false
      log[level]({ queries, rows }, `Counts of ${queries} queries were written.`)
    },
    countsUnwritten(err) {
      isWaiting = true
      log.warn({ err }, `Query counts cannot be written and are kept for a retry: ${err.message}`)
    },
    countsLost: (queries, why) =>
      log.warn({ queries, why }, `Counts of ${queries ?? 'some'} queries are lost: ${why}.`),
    batchesReduced(batches, lost) {
      const detail = lost === 'time' ? 'the times of queries' : 'the networks of clients'
      log.info({ batches, lost }, `${batches} waiting batches of query counts lost ${detail}.`)
    },
    spoolFailed: (err) =>
      log.warn({ err }, `Query counts cannot be kept on the disk: ${err.message}`),
  }
}

/** Logs that the live view does not work. */
export function liveLog(log: Logger): LiveEvents {
  return {
    liveWritten: () => undefined,
    liveFailed: (err) => log.warn({ err }, `The live view does not work: ${err.message}`),
  }
}

/**
 * Logs server faults. Client behaviour is counted and not logged, because clients could otherwise fill the
 * disk.
 */
export function serverLog(log: Logger): Pick<ServerEvents, 'failed'> {
  return {
    failed: (err) => log.error({ err }, 'A request could not be answered.'),
  }
}
