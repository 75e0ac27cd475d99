/**
 * Work for later, in PostgreSQL (pg-boss). A job is written in the transaction of
 * what it belongs to, so it exists exactly when that was committed; handlers may
 * run more than once and end with the same result.
 */
import type { Knex } from 'knex'
import { fromKnex, PgBoss, type ConstructorOptions, type Queue } from 'pg-boss'
import type { KeyNotice } from '../integrations/mails/key-notice.ts'
import type { PasskeyNotice } from '../integrations/mails/passkey-notice.ts'
import type { PasswordChangedNotice } from '../integrations/mails/password-changed.ts'
import type { SecondFactorNotice } from '../integrations/mails/second-factor.ts'

/** What each kind of job carries. Nothing secret: these rows are kept for a day. */
export interface JobData {
  /** A new account: a link is sent to its address, or a notice to the one who has it. */
  registration: { readonly userId: string; readonly mayNotify: boolean }
  'resend-verification': { readonly email: string }
  'forgot-password': { readonly email: string }
  'change-email': EmailWish
  mail: MailJob
  'account-plan': { readonly userId: string }
  /** A lock reaches more domains than one transaction changes. */
  'name-lock': { readonly fqdn: string }
  /** A plan was changed: the accounts on it whose ids are above `after` follow. */
  plan: { readonly plan: string; readonly after: string }
}

/** Another address for an account, asked for with its password. */
interface EmailWish {
  readonly userId: string
  /** Of the account's credentials: a password that was changed meanwhile asks for nothing any more. */
  readonly credentialVersion: number
  /** The new one. */
  readonly email: string
  /** Whether its owner may be told, if it has one. */
  readonly mayNotify: boolean
}

export type MailJob =
  | { readonly kind: 'verify-email'; readonly linkId: string; readonly seed: string }
  | { readonly kind: 'address-in-use'; readonly userId: string }
  | { readonly kind: 'reset-password'; readonly linkId: string; readonly seed: string }
  | ({ readonly kind: 'confirm-old-email' } & ConfirmingMail)
  | ({ readonly kind: 'confirm-new-email' } & ConfirmingMail)
  /** Somebody signed in from where, or with what, the account does not know. */
  | {
      readonly kind: 'new-device'
      readonly userId: string
      readonly at: string
      readonly ip: string
      readonly cc: string | null
      readonly client: string | null
    }
  /** Somebody made a key, gave one another secret, or trusted a pipeline. */
  | ({ readonly kind: 'key-notice'; readonly userId: string } & KeyNotice)
  /** A passkey came, went or was refused. */
  | ({ readonly kind: 'passkey'; readonly userId: string } & PasskeyNotice)
  /** What signing in takes is another. */
  | ({ readonly kind: 'second-factor'; readonly userId: string } & SecondFactorNotice)
  /** `dueAt`: from when on the account is gone, ISO 8601. */
  | { readonly kind: 'account-deletion'; readonly userId: string; readonly dueAt: string }
  /** To the address that the account had until then. */
  | {
      readonly kind: 'email-changed'
      readonly userId: string
      readonly to: string
      readonly newEmail: string
      readonly at: string
    }
  | ({ readonly kind: 'password-changed'; readonly userId: string } & PasswordChangedNotice)

interface ConfirmingMail {
  readonly linkId: string
  readonly seed: string
  readonly newEmail: string
}

export type JobName = keyof JobData

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
