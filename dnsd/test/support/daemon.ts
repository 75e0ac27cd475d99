import { type ChildProcess, spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../../test/free-ports.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** A dnsd in a separate process. */
export interface RunningDaemon {
  readonly process: ChildProcess
  readonly port: number
  /** The log so far. */
  readonly log: () => string
  /** Resolves when the log matches. */
  readonly untilLogged: (pattern: RegExp) => Promise<void>
  /** Resolves when the daemon reports that it is ready; rejects when it ends before. */
  readonly ready: Promise<void>
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  readonly resolver: Resolver
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** Starts dnsd without this process's settings. */
export async function startDaemon(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<RunningDaemon> {
  const port = Number(environment['DNS_PORT'] ?? (await freePort()))
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DATA_DIR: dataDir,
      DNS_PORT: String(port),
      LOG_FORMAT: 'json',
      // All clients have the same address here, and some repeat queries until an answer changes.
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let log = ''
  const logged = new EventEmitter()
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
    logged.emit('more')
  })
  const untilLogged = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(log)) await once(logged, 'more')
  }
  const ended = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  )
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    void ended.then((how) => reject(new Error(`dnsd ended with ${how}: ${log}`)))
  })
  ready.catch(() => undefined)
  const resolver = new Resolver({ timeout: 2_000, tries: 3 })
  resolver.setServers([`127.0.0.1:${port}`])
  return { process: child, port, log: () => log, untilLogged, ready, ended, resolver }
}
