/**
 * The life cycle of a part's process: it starts, works until it is asked to stop, finishes work in progress and
 * exits.
 */
import { once } from 'node:events'
import { EXIT_CONFIG } from '../config/config-error.ts'
import type { Log } from './log.ts'
import { databaseUrlOf, NoDatabase } from '../config/database-url.ts'
import { listenForStop } from './stop-signal.ts'

/** Forces the exit, so that a stop takes at most 10 s even if something hangs. */
const STOP_LIMIT_MS = 8_000

/**
 * The URL of a part's database. Without one, the process exits with a one-line message and exit code
 * 78.
 */
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
  /** @param stopping aborted when the part is asked to stop; it also ends a start that waits */
  start(stopping: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** Runs a part and exits: with 0 after a requested stop, with 1 when it cannot start or continue. */
export async function runUntilStopped(log: Log, life: Life): Promise<never> {
  // After an unexpected error the state of the process is unknown. Its supervisor restarts it.
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
