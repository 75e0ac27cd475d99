/**
 * A deployment as docs/guides/operators.md describes it: its own PostgreSQL, one process for each part with the
 * variables of its files, and a proxy with TLS. It reads the commands, SQL and variables from the guide, and each
 * part's files from the systemd units. The test sets names, ports and secrets.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { Client } from 'pg'
import { freePorts } from '../../test/free-ports.ts'
import { type SmtpServer, startSmtpServer } from '../../test/smtp-server.ts'
import { ask } from './dns.ts'
import { guideBlock } from './guide.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'
import { eventually, NODE_COMPILE_CACHE, type PartName, ROOT, temporaryDataDir } from './stack.ts'
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts'

const PARTS: readonly PartName[] = ['api', 'worker', 'dnsd', 'forwarder']
const HOST = 'dns.example.net'
/** For what never happens: four parts that start at the same time on a busy machine need more than a minute. */
const START_LIMIT_MS = 150_000
/** Replaces the guide's role, database and mail account `homing`. */
export const ROLE = 'operated'
/** The guide's placeholders for secrets. */
const SECRETS = /[A-Z]+_PASSWORD\b(?!=)|RANDOM_KEY/g

/** The files that the unit of a part reads, `api` → `homing.env`, …; an optional file starts with `-`. */
function filesOf(part: PartName | 'migrate'): string[] {
  const unit = readFileSync(join(ROOT, `docs/deploy/systemd/homing-${part}.service`), 'utf8')
  return Array.from(
    unit.matchAll(/^EnvironmentFile=(-?)\/etc\/homing\/(.+)$/gm),
    ([, optional, file]) => `${optional}${file}`,
  )
}

function scriptOf(command: string): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const script = scripts[command.replace('npm run ', '')]
  if (script === undefined) throw new Error(`${command} is not a script of package.json`)
  return script
}

interface Ports {
  readonly api: number
  readonly proxy: number
  readonly dns: number
  readonly forward: number
}

interface Running {
  readonly process: ChildProcess
  readonly log: () => string
}

export class Deployment {
  readonly folder: { path: string; remove: () => void }
  readonly postgres: OwnPostgres
  readonly smtp: SmtpServer
  readonly proxy: TlsProxy
  readonly ports: Ports
  /** DATA_DIR of every part except the DNS daemon and web forwarding. These parts store nothing, so the folder must never exist. */
  readonly unusedDataDir: string
  readonly #secrets = new Map<string, string>()
  readonly #running = new Map<PartName, Running>()

  private constructor(made: Pick<Deployment, 'folder' | 'postgres' | 'smtp' | 'proxy' | 'ports'>) {
    this.folder = made.folder
    this.postgres = made.postgres
    this.smtp = made.smtp
    this.proxy = made.proxy
    this.ports = made.ports
    this.unusedDataDir = join(made.folder.path, 'unused')
  }

  /** Starts PostgreSQL, a mail server and the proxy, but no part of Homing. */
  static async open(): Promise<Deployment> {
    const folder = temporaryDataDir()
    const [api = 0, port = 0, dns = 0, forward = 0] = await freePorts(4)
    const postgres = await startOwnPostgres(folder.path, { isEmpty: true })
    const smtp = await startSmtpServer()
    const proxy = await startTlsProxy({ folder: folder.path, host: HOST, port, apiPort: api })
    const ports = { api, proxy: port, dns, forward }
    return new Deployment({ folder, postgres, smtp, proxy, ports })
  }

  /** The secret for a placeholder of the guide, such as FIRST_PASSWORD. */
  secret(word: string): string {
    const secret = this.#secrets.get(word) ?? randomBytes(24).toString('hex')
    this.#secrets.set(word, secret)
    return secret
  }

  /** A block of the guide with the secrets, addresses and ports of the test. */
  block(name: string): string {
    const { port } = new URL(this.postgres.url)
    return (
      guideBlock('operators.md', name)
        // The embedded PostgreSQL already has a superuser and a database with that name.
        .replaceAll(/\bhoming\b/g, ROLE)
        .replaceAll(SECRETS, (word) => this.secret(word))
        .replaceAll('db.example.net:5432', `127.0.0.1:${port}`)
        .replaceAll('mail.example.net:587', this.smtp.url.host)
        .replaceAll(`https://${HOST}`, this.proxy.url)
        .replaceAll('DNS_HOST=192.0.2.53', 'DNS_HOST=127.0.0.1')
        .replaceAll('DNS_PORT=53', `DNS_PORT=${this.ports.dns}`)
    )
  }

  /** The files of a part with their text. */
  #filesOf(part: PartName | 'migrate'): { file: string; text: string }[] {
    return filesOf(part)
      .filter((file) => !file.startsWith('-') || file === '-api.env')
      .map((file) => file.replace('-', ''))
      .map((file) => ({ file, text: this.block(file) }))
  }

  /** The ports and folders for which the guide uses the defaults. */
  #placesOf(part: PartName | 'migrate'): NodeJS.ProcessEnv {
    const stores = part === 'dnsd' || part === 'forwarder'
    const dataDir = stores ? join(this.folder.path, part) : this.unusedDataDir
    return {
      PATH: `${ROOT}node_modules/.bin:${process.env['PATH'] ?? ''}`,
      NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: String(this.ports.api),
      FORWARD_PORT: String(this.ports.forward),
    }
  }

  /** The variables of a part: its files as systemd reads them, and its places. */
  #environmentOf(part: PartName): NodeJS.ProcessEnv {
    const texts = this.#filesOf(part).map(({ text }) => text)
    return { ...this.#placesOf(part), ...parseEnv(texts.join('\n')) }
  }

  /** Runs a block of SQL as the superuser of PostgreSQL. */
  async runSql(block: string): Promise<void> {
    const client = new Client({ connectionString: this.postgres.url })
    await client.connect()
    try {
      for (const statement of this.block(block).split(/;$/m)) await client.query(statement)
    } finally {
      await client.end()
    }
  }

  /**
   * Loads the files with the block `environment` and runs the command of the block `migrate`.
   *
   * @throws Error with its output when it fails
   */
  async migrate(): Promise<{ stdout: string; stderr: string }> {
    const folder = join(this.folder.path, 'etc')
    mkdirSync(folder, { recursive: true })
    for (const { file, text } of this.#filesOf('migrate')) writeFileSync(join(folder, file), text)
    const loading = guideBlock('operators.md', 'environment').replaceAll('/etc/homing', folder)
    const command = guideBlock('operators.md', 'migrate').trim()
    const env = this.#placesOf('migrate')
    return promisify(execFile)('sh', ['-c', loading + scriptOf(command)], { cwd: ROOT, env })
  }

  /** Starts each part as its own process, with its command from the block `start`. */
  startParts(): void {
    mkdirSync(join(this.folder.path, 'dnsd'))
    for (const command of guideBlock('operators.md', 'start').trim().split('\n')) {
      const part = PARTS.find((name) => command === `npm run start:${name}`)
      if (part === undefined) throw new Error(`${command} starts no part`)
      const child = spawn('sh', ['-c', scriptOf(command)], {
        cwd: ROOT,
        env: this.#environmentOf(part),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let logged = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (logged += text))
      this.#running.set(part, { process: child, log: () => logged })
    }
  }

  /**
   * Waits until the API is healthy behind the proxy and DNS answers for a zone.
   *
   * @throws Error with the logs of the parts, on timeout
   */
  async untilReady(zone: string): Promise<void> {
    const health = () => this.proxy.fetch(new Request(`${this.proxy.url}/api/health`))
    const soa = () => ask(this.ports.dns, zone, 'SOA')
    try {
      await eventually(health, ({ status }) => status === 200, START_LIMIT_MS)
      await eventually(soa, ({ rcode }) => rcode === 'NOERROR', START_LIMIT_MS)
    } catch (error) {
      const logs = [...this.#running].map(([part, { log }]) => `${part}:\n${log()}`)
      throw new Error(`the parts are not ready:\n${logs.join('\n')}`, { cause: error })
    }
  }

  /** SIGTERM. @returns the exit code */
  async stop(part: PartName): Promise<number | null> {
    const child = this.#running.get(part)?.process
    if (child === undefined) throw new Error(`${part} does not run`)
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    return child.exitCode
  }

  async close(): Promise<void> {
    for (const part of this.#running.keys()) await this.stop(part)
    await this.proxy.close()
    await this.smtp.close()
    await this.postgres.stop()
    this.folder.remove()
  }
}
