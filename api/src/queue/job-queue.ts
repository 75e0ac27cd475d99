/**
 * Background jobs in PostgreSQL (pg-boss). A job is written in the transaction that it belongs to,
 * so it exists exactly if that transaction is committed. Handlers can run more than once and must
 * be idempotent.
 */
import type { Knex } from 'knex'
import { fromKnex, PgBoss, type ConstructorOptions, type Queue } from 'pg-boss'
import type { JobData, JobName } from './job-data.ts'

/** The PostgreSQL schema of the library's own tables. */
export const JOB_SCHEMA = 'pgboss'
const DAY_SECONDS = 86_400

/** How often and how long jobs are retried; spans in seconds. */
const COMMON = {
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 60,
  deleteAfterSeconds: DAY_SECONDS,
  notify: true,
} as const
/** Waits that double up to an hour: together two days, for an unreachable mail server. */
const PATIENT = { ...COMMON, retryLimit: 60, retryDelayMax: 3_600 } as const

const QUEUES: Readonly<Record<JobName, Omit<Queue, 'name'>>> = {
  registration: PATIENT,
  'resend-verification': PATIENT,
  'forgot-password': PATIENT,
  'change-email': PATIENT,
  mail: PATIENT,
  'account-plan': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 600 },
  'name-lock': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 600 },
  'blocked-target': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 600 },
  // A job whose worker crashes is retried when it expires.
  'forward-addresses': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 120 },
  plan: { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 120 },
}

/** For writers of jobs: without maintenance and scheduling. */
const WRITER: Partial<ConstructorOptions> = {
  schema: JOB_SCHEMA,
  supervise: false,
  schedule: false,
  migrate: false,
  createSchema: false,
}

/** Creates or upgrades the job tables and the queues. The caller must prevent concurrent calls. */
export async function ensureJobSchema(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: JOB_SCHEMA,
    supervise: false,
    schedule: false,
    max: 1,
  })
  let failure: unknown
  boss.on('error', (error) => (failure = error))
  await boss.start()
  try {
    for (const [name, options] of Object.entries(QUEUES)) {
      await boss.createQueue(name, options)
      await boss.updateQueue(name, options)
    }
  } finally {
    await boss.stop({ graceful: false })
  }
  if (failure !== undefined) throw failure
}

/** Writes jobs. */
export class JobQueue {
  readonly #boss: PgBoss
  #started: Promise<unknown> | undefined

  constructor(knex: Knex, onError: (error: Error) => void) {
    this.#boss = new PgBoss({ ...WRITER, db: fromKnex(knex) })
    this.#boss.on('error', onError)
  }

  /** Adds a job that exists once `trx` is committed. */
  async enqueue<Name extends JobName>(
    trx: Knex.Transaction,
    name: Name,
    job: JobData[Name],
  ): Promise<void> {
    await this.#start()
    await this.#boss.send(name, job, { db: fromKnex(trx) })
  }

  /** Stops its timers. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }

  /** Starts at the first job, so that the API can start while its database is unreachable. */
  async #start(): Promise<void> {
    this.#started ??= this.#boss.start()
    try {
      await this.#started
    } catch (error) {
      this.#started = undefined
      throw error
    }
  }
}
