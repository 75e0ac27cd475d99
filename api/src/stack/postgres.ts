/** Embedded PostgreSQL: a child process on loopback, with its cluster in its own folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keptSecret } from '../provisioning/kept-secret.ts'
import { ensureCluster, SUPERUSER } from './new-cluster.ts'
import { onOneConnection } from './one-connection.ts'
import { asUnprivileged } from './postgres-programs.ts'
import { systemEnvironment } from './system-environment.ts'

const START_LIMIT_MS = 60_000

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; created when missing. */
  readonly clusterDir: string
  /** false disables fsync and synchronous_commit: for tests, whose data can be lost. */
  readonly durable: boolean
  /** Further settings, as `name: value` of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** Receives each line that the server logs. */
  readonly onLog?: (line: string) => void
  /** The port of an earlier start, which its clients still use. The start fails if it is in use. */
  readonly port?: number
  /** Cancels the start. */
  readonly signal?: AbortSignal
}

export interface EmbeddedPostgres {
  /** Superuser connection to database `homing`. */
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** Resolves when the process has ended, also if it ended before the caller awaits this. */
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>
  /**
   * Ends all connections and stops; resolves when the process has ended. After `limitMs` it stops
   * without a checkpoint, and the next start recovers.
   */
  stop(limitMs?: number): Promise<void>
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((free) => {
    server.once('error', () => free(false))
    server.listen(port, '127.0.0.1', () => server.close(() => free(true)))
  })
}

/**
 * Below the ports that systems use for outgoing connections (from 32768 on Linux, 49152 elsewhere).
 * Any connection could take such a port while the server restarts.
 */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]
const PORT_TRIES = 100

async function anyFreePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT)
    if (await isFree(port)) return port
  }
  throw new Error(
    `PostgreSQL needs a free port; all ${PORT_TRIES} ports tried between ${LOWEST_PORT} and ${HIGHEST_PORT} are in use`,
  )
}

/** The port of the last start if it is free, so that clients that outlived the server find it again. */
async function portFor(clusterDir: string): Promise<number> {
  const file = `${clusterDir}.port`
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const port = last > 0 && (await isFree(last)) ? last : await anyFreePort()
  writeFileSync(file, String(port))
  chmodSync(file, 0o600)
  return port
}

async function untilReady(url: string, child: ChildProcess, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  while (true) {
    signal?.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error('PostgreSQL stopped during its start. See its log lines above.')
    }
    try {
      const config = { connectionString: url, connectionTimeoutMillis: 2_000 }
      await onOneConnection(config, async () => undefined)
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(25)
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  await onOneConnection({ connectionString: adminUrl }, async (client) => {
    const found = await client.query(`select 1 from pg_database where datname = 'homing'`)
    if (found.rowCount === 0) await client.query('create database homing')
  })
}

/**
 * Starts PostgreSQL on loopback with the cluster in `clusterDir`, which is created when it does not
 * exist.
 *
 * @throws Error when the cluster cannot be created or the server does not answer within 60 s
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const clusterDir = resolve(options.clusterDir)
  mkdirSync(dirname(clusterDir), { recursive: true })
  // Beside the cluster, so that only the owner of the folder can read it.
  const password = keptSecret(`${clusterDir}.password`)
  ensureCluster({ clusterDir, password, durable: options.durable })

  const port = options.port ?? (await portFor(clusterDir))
  const durability = options.durable ? 'on' : 'off'
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    max_connections: '200',
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    // For SSDs. With the default of 4, PostgreSQL scans a table of some thousand names where ten index look-ups suffice.
    random_page_cost: '1.1',
    ...options.settings,
  }
  const [command, args] = asUnprivileged(
    'postgres',
    ['-D', clusterDir, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    [clusterDir],
  )
  // A separate process group: Ctrl-C in the terminal must reach the other parts first.
  const child = spawn(command, args, {
    cwd: '/',
    env: systemEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') options.onLog?.(line)
  })
  // Registered immediately: the process can end between its last answer below and the caller's first check.
  const ended: EmbeddedPostgres['ended'] = new Promise((tell) =>
    child.once('exit', (exitCode, signal) => tell({ exitCode, signal })),
  )
  const spawned = Promise.race([
    once(child, 'spawn'),
    once(child, 'error').then(([e]) => {
      throw e
    }),
  ])
  await spawned

  const urlOf = (database: string) =>
    `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`
  try {
    await untilReady(urlOf('postgres'), child, options.signal)
    await ensureDatabase(urlOf('postgres'))
  } catch (error) {
    await stopServer(child)
    throw error
  }
  return {
    url: urlOf('homing'),
    port,
    process: child,
    ended,
    stop: (limitMs) => stopServer(child, limitMs),
  }
}

async function stopServer(child: ChildProcess, limitMs?: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT') // "fast shutdown": ends sessions, keeps what was committed
  const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGQUIT'), limitMs)
  await gone
  clearTimeout(timer)
}
