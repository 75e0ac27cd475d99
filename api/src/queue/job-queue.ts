/**
 * Work for later, in PostgreSQL (pg-boss). A job is written in the transaction of
 * what it belongs to, so it exists exactly when that was committed; handlers may
 * run more than once and end with the same result.
 */
import type { Knex } from 'knex'
import { fromKnex, PgBoss, type ConstructorOptions, type Queue } from 'pg-boss'
import type { JobData, JobName } from './job-data.ts'

/** The PostgreSQL schema of the library's own tables. */
export const JOB_SCHEMA = 'pgboss'
const DAY_SECONDS = 86_400

/** How often and how long jobs are tried; spans in seconds. */
const COMMON = {
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 60,
  deleteAfterSeconds: DAY_SECONDS,
  notify: true,
} as const
/** Waits that double up to an hour: two days of a mail server that is away. */
const PATIENT = { ...COMMON, retryLimit: 60, retryDelayMax: 3_600 } as const

const QUEUES: Readonly<Record<JobName, Omit<Queue, 'name'>>> = {
  registration: PATIENT,
  'resend-verification': PATIENT,
  'forgot-password': PATIENT,
  'change-email': PATIENT,
  mail: PATIENT,
  'account-plan': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 600 },
  'name-lock': { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 600 },
  // A job that dies with its worker is taken up again when it expires.
  plan: { ...COMMON, retryLimit: 1_000, retryDelayMax: 60, expireInSeconds: 120 },
}

/** Neither maintains nor schedules: for those who only write jobs. */
const WRITER: Partial<ConstructorOptions> = {
  schema: JOB_SCHEMA,
  supervise: false,
  schedule: false,
  migrate: false,
  createSchema: false,
}

/**
 * Makes or upgrades the tables of jobs, and the queues. The caller sees to it that
 * nobody else does so at the same time.
 */
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

  /** Lets go of its timers. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }

  /** At the first job and not before, so that the api starts while its database is away. */
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
