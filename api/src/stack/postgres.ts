/** PostgreSQL as a child process, on loopback, over a cluster in a folder of its own. */
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
  /** Folder of the cluster; made when missing. */
  readonly clusterDir: string
  /** false switches fsync and synchronous_commit off: for tests, whose data may be lost. */
  readonly durable: boolean
  /** Further settings, as `name: value` of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** Receives each line that the server logs. */
  readonly onLog?: (line: string) => void
  /** The port of an earlier start, which its clients still use: the start fails when it is taken. */
  readonly port?: number
  /** Gives the start up. */
  readonly signal?: AbortSignal
}

export interface EmbeddedPostgres {
  /** Superuser connection to database `homing`. */
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** Resolves when the process has ended, also when that was before anybody asked. */
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>
  /**
   * Ends all connections and stops; resolves when the process is gone. After
   * `limitMs` it stops without a checkpoint, which the next start makes up for.
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
 * Below those that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): a
 * port among them may be taken by any connection while the server that owns it is starting again.
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

/** The port of the last start when it is still free: clients that outlived the server find it again. */
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
 * Starts PostgreSQL on loopback over the cluster in `clusterDir`, which is made
 * when there is none.
 *
 * @throws Error when the cluster cannot be made or the server does not answer within 60 s
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
    // As for disks without a moving head. The default of 4 has a table of some thousand names read whole where ten look-ups by key do.
    random_page_cost: '1.1',
    ...options.settings,
  }
  const [command, args] = asUnprivileged(
    'postgres',
    ['-D', clusterDir, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    [clusterDir],
  )
  // A process group of its own: Ctrl-C in the terminal must reach the other parts first.
  const child = spawn(command, args, {
    cwd: '/',
    env: systemEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') options.onLog?.(line)
  })
  // Listened for from the first moment: it may die between its last answer below and the caller's first look.
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
