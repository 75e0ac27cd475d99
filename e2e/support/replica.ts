/** A second DNS daemon over a stack's database, started as a deployment starts it and kept running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedUrl } from './tables.ts'
import { NODE_COMPILE_CACHE, ROOT, type Stack } from './stack.ts'

export interface Replica {
  readonly dnsPort: number
  /** The process that runs now. */
  pid(): number
  /** SIGTERM; it is not started again. */
  stop(): Promise<void>
}

/** The database as the stack's own daemon may use it. */
function feedUrl({ dataDir }: Stack, databasePort?: number): string {
  const url = new URL(embeddedUrl(dataDir))
  if (databasePort !== undefined) url.port = String(databasePort)
  url.username = 'homing_dnsd_login'
  url.password = readFileSync(join(dataDir, 'dnsd-database-password'), 'utf8').trim()
  return url.href
}

export interface ReplicaPorts {
  readonly dns: number
  readonly metrics: number
  /** Where it finds PostgreSQL, when that is not PostgreSQL's own port. */
  readonly database?: number
}

/** Starts it with a DATA_DIR of its own; when it dies it is started again. */
export function startReplica(stack: Stack, ports: ReplicaPorts): Replica {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE,
    DATA_DIR: mkdtempSync(join(stack.dataDir, 'replica-')),
    DATABASE_URL: feedUrl(stack, ports.database),
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
    pid: () => running.pid ?? 0,
    async stop() {
      isStopping = true
      const gone = once(running, 'exit')
      running.kill('SIGTERM')
      await gone
    },
  }
}
