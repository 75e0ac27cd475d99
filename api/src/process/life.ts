/** The life of a part's process: it starts, works until it is asked to stop, finishes what is under way, ends. */
import { once } from 'node:events'
import { EXIT_CONFIG } from '../config/config-error.ts'
import type { Log } from './log.ts'
import { databaseUrlOf, NoDatabase } from '../config/database-url.ts'
import { listenForStop } from './stop-signal.ts'

/** Whoever asked for a stop gets it within 10 s, whatever still hangs. */
const STOP_LIMIT_MS = 8_000

/** The database that a part works on; without one the process ends with one line and exit code 78. */
export function databaseUrlOrExit(config: Parameters<typeof databaseUrlOf>[0]): string {
  try {
    return databaseUrlOf(config)
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(EXIT_CONFIG)
  }
}

export interface Life {
  /** @param stopping aborted when the part is asked to stop; a start that waits ends then */
  start(stopping: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** Runs a part and ends the process: 0 after a stop that was asked for, 1 when it cannot start or go on. */
export async function runUntilStopped(log: Log, life: Life): Promise<never> {
  // After a fault nobody foresaw the process knows too little of itself to go on; its supervisor starts it again.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  })
  const stop = listenForStop()
  try {
    await life.start(stop.first)
  } catch (error) {
    log.fatal({ err: error }, 'cannot start')
    process.exit(1)
  }
  if (!stop.first.aborted) await once(stop.first, 'abort')
  log.info('stopping')
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  await life.stop()
  process.exit(0)
}
