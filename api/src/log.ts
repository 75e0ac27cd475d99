import { pino, type Logger } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Config } from './config.ts'

export type Log = Logger

/** The log of one process: on stderr, readable on a terminal, JSON lines for machines. */
export function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>, name: string): Log {
  const options = { name, level: config.logLevel }
  if (config.logFormat === 'json') return pino(options, pino.destination({ fd: 2, sync: true }))
  return pino(options, PinoPretty({ destination: 2, sync: true, ignore: 'pid,hostname' }))
}
