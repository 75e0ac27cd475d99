/** A service for a benchmark: durable PostgreSQL in its own folder, and the parts as separate processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrate } from '@homing/api/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@homing/api/postgres'
import { Client } from 'pg'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface BenchService {
  readonly postgres: EmbeddedPostgres
  readonly env: Readonly<Record<string, string>>
  readonly apiUrl: string
  readonly dnsPort: number
  /** Starts one part (`api/src/server.ts`, `dnsd/src/main.ts`), which stops with the service. */
  start(entry: string, settings?: Readonly<Record<string, string>>): ChildProcess
  /** Opens a connection for the benchmark. It closes before PostgreSQL stops, which would otherwise end this process. */
  connect(): Promise<Client>
  /** Registers `end`, which runs before the earlier registrations. */
  defer(end: () => unknown): void
  /** Starts the api and waits until it answers. */
  startApi(settings?: Readonly<Record<string, string>>): Promise<ChildProcess>
  /** Stops every part and PostgreSQL when the benchmark ends or fails (`await using`). */
  [Symbol.asyncDispose](): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function end(part: ChildProcess): Promise<void> {
  if (part.exitCode !== null || part.signalCode !== null) return
  const gone = once(part, 'exit')
  part.kill('SIGTERM')
  await gone
}

function environment(folder: string, databaseUrl: string, port: number, dnsPort: number) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '/',
    NODE_ENV: 'development',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    DNS_PORT: String(dnsPort),
    RATE_LIMITS: 'off',
    CAPTCHA_PROVIDER: 'none',
    LOG_LEVEL: 'warn',
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
}

/** Prepares a migrated database with fsync on. Nothing else runs until `start`. If it fails, nothing is left running. */
export async function prepareService(): Promise<BenchService> {
  await using opening = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'homing-bench-'))
  opening.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: true,
  })
  opening.defer(() => postgres.stop())
  await migrate(postgres.url)
  const [port, dnsPort] = [await freePort(), await freePort()]
  const env = environment(folder, postgres.url, port, dnsPort)
  // Closes in reverse order: the parts, PostgreSQL, the folder.
  const opened = opening.move()
  const apiUrl = `http://127.0.0.1:${port}`
  function start(entry: string, settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const part = spawn(process.execPath, [join(ROOT, entry)], {
      cwd: ROOT,
      env: { ...env, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    opened.defer(() => end(part))
    return part
  }
  return {
    postgres,
    env,
    apiUrl,
    dnsPort,
    start,
    async connect() {
      const client = new Client({ connectionString: postgres.url })
      await client.connect()
      opened.defer(() => client.end())
      return client
    },
    defer(ending) {
      opened.defer(async () => {
        await ending()
      })
    },
    async startApi(settings) {
      const part = start('api/src/server.ts', settings)
      await until('the api', async () => (await fetch(`${apiUrl}/api/health`)).ok)
      return part
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until `probe` returns true. Fails with `what` after `limitSeconds`. */
export async function until(
  what: string,
  probe: () => Promise<boolean>,
  limitSeconds = 30,
): Promise<void> {
  const deadline = performance.now() + limitSeconds * 1_000
  while (!(await probe().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${what} took more than ${limitSeconds} s`)
    await delay(50)
  }
}

/** Waits until the api has no requests in flight: calls that remain from a finished load would occupy the slots of the next. */
export async function quiet(apiUrl: string): Promise<void> {
  await until('the end of all calls', async () => {
    const text = await (await fetch(`${apiUrl}/metrics`)).text()
    return text.includes('homing_api_calls_under_way 0\n')
  })
}
