/** PostgreSQL and the four parts: what runs, and in which order it starts and stops. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT_CONFIG } from '../config/config-error.ts'
import type { SupervisorConfig } from '../config/supervisor.ts'
import type { Log } from '../process/log.ts'
import { databaseUrlFile } from '../config/database-url.ts'
import { writeSecret } from '../provisioning/kept-secret.ts'
import type { FeedLogins } from './login-roles.ts'
import { PART_NAMES, type PartName, startNodePart } from './node-part.ts'
import { environmentOfPart } from './part-environment.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres.ts'
import { type PartEnd, type RunningPart, SupervisedPart } from './supervised-part.ts'

/** Time limit for each part's stop, in milliseconds. The sum is below the 10 s for the whole service. */
const STOP_LIMIT_MS: Readonly<Record<PartName | 'PostgreSQL', number>> = {
  api: 3_000,
  worker: 2_000,
  forwarder: 1_000,
  dnsd: 2_000,
  PostgreSQL: 1_500,
}

/** Consecutive unexpected ends after which a start fails; about 1.5 s, enough for a port to become free. */
const START_ATTEMPTS = 5

/**
 * Whether a line of PostgreSQL's log is unexpected. Refused connections during a start or stop are
 * expected.
 */
function isAlarming(line: string): boolean {
  return / (?:FATAL|PANIC): /.test(line) && !/database system is|terminating connection/.test(line)
}

/** A part keeps ending before the service is ready. */
export class PartDoesNotStart extends Error {
  readonly exitCode: number

  constructor(name: string, end: PartEnd) {
    const how = end.signal ?? `exit code ${end.exitCode}`
    super(`${name} does not start (${how}). See its last log lines above.`)
    this.exitCode = end.exitCode === EXIT_CONFIG ? EXIT_CONFIG : 1
  }
}

export class Service {
  readonly #config: SupervisorConfig
  readonly #log: Log
  readonly #failure = new AbortController()
  #isStarting = true
  /** In stop order. */
  readonly #parts: SupervisedPart[] = []
  #database: SupervisedPart | undefined

  constructor(config: SupervisorConfig, log: Log) {
    this.#config = config
    this.#log = log
  }

  /** Aborted with a PartDoesNotStart when a part keeps ending during the start. */
  get failure(): AbortSignal {
    return this.#failure.signal
  }

  /**
   * Marks the start as complete: everything has answered once. From then on a part that ends is
   * always restarted, and its ends do not fail the start.
   */
  startIsOver(): void {
    this.#isStarting = false
  }

  /** Starts embedded PostgreSQL and keeps it running at the same address. @returns its connection string */
  async startDatabase(giveUp: AbortSignal): Promise<string> {
    const log = this.#log.child({ part: 'postgres' })
    let postgres: EmbeddedPostgres | undefined
    const start = async (): Promise<RunningPart> => {
      postgres = await startEmbeddedPostgres({
        clusterDir: join(this.#config.dataDir, 'postgres'),
        durable: true,
        signal: giveUp,
        onLog: (line) => (isAlarming(line) ? log.warn(line) : log.debug(line)),
        ...(postgres === undefined ? {} : { port: postgres.port }),
      })
      const running = postgres
      return {
        ended: running.ended,
        stop: (limitMs) => running.stop(limitMs),
      }
    }
    this.#database = this.#supervised('PostgreSQL', start)
    await this.#database.start()
    const url = postgres?.url ?? ''
    const file = databaseUrlFile(this.#config.dataDir)
    mkdirSync(dirname(file), { recursive: true })
    writeSecret(file, url)
    return url
  }

  /** Starts the four parts concurrently; they wait for each other where they need to. */
  async startParts(databaseUrl: string, logins: FeedLogins): Promise<void> {
    const starts = PART_NAMES.map((name) => {
      const env = this.#environmentOf(name, databaseUrl, logins)
      const { dataDir } = this.#config
      const part = this.#supervised(name, () => startNodePart(name, { dataDir, env }))
      this.#parts.push(part)
      return part.start()
    })
    await Promise.all(starts)
  }

  /** The environment of a part. The parts that read the feed get their own database login only. */
  #environmentOf(name: PartName, databaseUrl: string, logins: FeedLogins): NodeJS.ProcessEnv {
    const { dataDir, logFormat } = this.#config
    const own: Partial<Record<PartName, string>> = {
      dnsd: logins.dnsdDatabaseUrl,
      forwarder: logins.forwarderDatabaseUrl,
    }
    const decided = {
      LOG_FORMAT: logFormat,
      DATABASE_URL: own[name] ?? databaseUrl,
      DNSD_DATABASE_URL: own[name] ?? '',
      FORWARDER_DATABASE_URL: own[name] ?? '',
    }
    // The next start recognises a part by its DATA_DIR (`orphans.ts`), even a part that does not read
    // it.
    return { ...environmentOfPart(name, { ...decided, DATA_DIR: dataDir }), DATA_DIR: dataDir }
  }

  #supervised(name: string, start: () => Promise<RunningPart>): SupervisedPart {
    return new SupervisedPart({
      name,
      start,
      log: this.#log,
      onUnexpectedEnd: (_name, end, inARow) => {
        const wrongConfiguration = end.exitCode === EXIT_CONFIG
        if (!this.#isStarting || (!wrongConfiguration && inARow < START_ATTEMPTS)) return
        this.#failure.abort(new PartDoesNotStart(name, end))
      },
    })
  }

  /**
   * Stops everything in order. A part that exceeds its limit is killed, and all parts are killed when `atOnce`
   * is aborted.
   */
  async stop(atOnce: AbortSignal): Promise<void> {
    const all = [...this.#parts, ...(this.#database === undefined ? [] : [this.#database])]
    const force = () => void Promise.all(all.map((part) => part.stop(0)))
    atOnce.addEventListener('abort', force, { once: true })
    for (const part of all) {
      const limitMs = STOP_LIMIT_MS[part.name as PartName | 'PostgreSQL']
      await part.stop(atOnce.aborted ? 0 : limitMs)
      this.#log.debug(`${part.name} stopped`)
    }
    rmSync(databaseUrlFile(this.#config.dataDir), { force: true })
  }
}
