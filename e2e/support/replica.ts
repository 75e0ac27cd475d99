/** A second DNS daemon with a stack's database, started as in a deployment and restarted when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedUrl } from './tables.ts'
import { NODE_COMPILE_CACHE, ROOT, type Service } from './stack.ts'

export interface Replica {
  readonly dnsPort: number
  readonly dataDir: string
  /** The id of the current process. */
  pid(): number
  /** Sends SIGTERM and does not restart it. */
  stop(): Promise<void>
}

/** The URL of the database with the rights of the stack's own daemon. */
function feedUrl({ dataDir }: Service, { database, databaseUrl }: ReplicaPorts): string {
  if (databaseUrl !== undefined) return databaseUrl
  const url = new URL(embeddedUrl(dataDir))
  if (database !== undefined) url.port = String(database)
  url.username = 'homing_dnsd_login'
  url.password = readFileSync(join(dataDir, 'dnsd-database-password'), 'utf8').trim()
  return url.href
}

export interface ReplicaPorts {
  readonly dns: number
  readonly metrics: number
  /** The port for PostgreSQL, if it differs from PostgreSQL's own port. */
  readonly database?: number
  /** Its login, if PostgreSQL is not the stack's own. */
  readonly databaseUrl?: string
}

/** Starts it with its own DATA_DIR, and restarts it when it ends. */
export function startReplica(stack: Service, ports: ReplicaPorts): Replica {
  const dataDir = mkdtempSync(join(stack.dataDir, 'replica-'))
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE,
    DATA_DIR: dataDir,
    DATABASE_URL: feedUrl(stack, ports),
    DNS_HOST: '127.0.0.1,::1',
    DNS_PORT: String(ports.dns),
    DNS_METRICS_PORT: String(ports.metrics),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  }
  const start = () =>
    spawn(process.execPath, ['dnsd/src/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 2],
    })
  let running: ChildProcess = start()
  let isStopping = false
  const keep = (child: ChildProcess) => {
    child.once('exit', () => {
      if (isStopping) return
      running = start()
      keep(running)
    })
  }
  keep(running)
  return {
    dnsPort: ports.dns,
    dataDir,
    pid: () => running.pid ?? 0,
    async stop() {
      isStopping = true
      const gone = once(running, 'exit')
      running.kill('SIGTERM')
      await gone
    },
  }
}
