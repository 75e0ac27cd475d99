import { createRequire } from 'node:module'
import { pino, type Logger } from 'pino'
import type * as Pretty from 'pino-pretty'
import type { ProcessSettings } from '../config/process-settings.ts'

export type Log = Logger

/**
 * Fields of PostgreSQL's errors that quote rows and parameters, which contain users' addresses and password
 * hashes.
 */
const ROW_QUOTES = ['err', 'err.aggregateErrors[*]'].flatMap((error) => [
  `${error}.detail`,
  `${error}.where`,
])

/** Loaded only for a terminal. A service under a supervisor writes JSON. */
function prettyStream(options: Pretty.PrettyOptions): Pretty.PrettyStream {
  const { PinoPretty } = createRequire(import.meta.url)('pino-pretty') as typeof Pretty
  return PinoPretty(options)
}

/** The log of a process, on stderr: readable text on a terminal, JSON lines for machines. */
export function createLog(
  config: Pick<ProcessSettings, 'logLevel' | 'logFormat'>,
  name: string,
): Log {
  const options = { name, level: config.logLevel, redact: { paths: ROW_QUOTES, remove: true } }
  if (config.logFormat === 'json') return pino(options, pino.destination({ fd: 2, sync: true }))
  return pino(options, prettyStream({ destination: 2, sync: true, ignore: 'pid,hostname' }))
}
