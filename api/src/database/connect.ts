/**
 * The one door to PostgreSQL for api, worker and scripts.
 *
 * Every connection carries the limits of docs/design.md "The feed": a client that
 * is lost or stuck must never hold a zone's serial for longer than 5 s.
 */
import knexModule, { type Knex } from 'knex'
import { fileURLToPath } from 'node:url'
import { giveUpOnSilence } from './silence.ts'
import {
  type ConnectionLimits,
  SCRIPT_LIMITS,
  SERVICE_LIMITS,
  sessionOptions,
} from './connection-limits.ts'
import { ensureJobSchema } from '../queue/job-queue.ts'

// knex's types describe its CommonJS face; under nodenext the callable is the default export itself.
const makeKnex = knexModule.default

export interface ConnectOptions {
  readonly url: string
  readonly limits?: ConnectionLimits
  readonly maxConnections?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
}

/** knex reports lost connections. A line on stderr: stdout belongs to what a command prints, and the caller has the error. */
const complain = (message: unknown) =>
  void process.stderr.write(`${String(message).split('\n', 1)[0]}\n`)

// A quiet service has an update now and then. Made anew for each, a connection with its prepared plans costs ten times the
// update; so these stay open, and only what a busy hour needs beyond them is closed again.
const KEPT_CONNECTIONS = 2

/** A connection pool with the limits above. The caller ends it by `destroy()`. */
export function connect(options: ConnectOptions): Knex {
  const max = options.maxConnections ?? 10
  const limits = options.limits ?? SERVICE_LIMITS
  const knex = makeKnex({
    client: 'pg',
    connection: {
      connectionString: options.url,
      application_name: options.applicationName,
      options: sessionOptions(limits),
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    },
    pool: { min: Math.min(KEPT_CONNECTIONS, max), max },
    acquireConnectionTimeout: 3_000,
    log: { warn: complain, error: complain, deprecate: complain, debug: complain },
    migrations: {
      directory: fileURLToPath(new URL('../../migrations', import.meta.url)),
      extension: 'ts',
      loadExtensions: ['.ts'],
      tableName: 'schema_migrations',
    },
  })
  giveUpOnSilence(knex, limits)
  return knex
}

/** Any number that nothing else locks. */
const MIGRATION_LOCK = 7_204_611

/**
 * Runs `work` while this process holds the migration lock of the database. Other processes
 * that want it wait in line for as long as it takes.
 */
export async function withMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const limits = { ...SCRIPT_LIMITS, statementMs: 0, idleInTransactionMs: 0 }
  const gate = connect({ url, limits, maxConnections: 1, applicationName: 'homing-migrate-lock' })
  try {
    return await gate.transaction(async (trx) => {
      await trx.raw('set local lock_timeout = 0')
      await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
      return work()
    })
  } finally {
    await gate.destroy()
  }
}

/** Brings the schema to the newest migration, and the tables of jobs with it. The caller holds the migration lock. */
export async function updateSchema(url: string): Promise<void> {
  const limits = { ...SCRIPT_LIMITS, idleInTransactionMs: 0 }
  const knex = connect({ url, limits, maxConnections: 2, applicationName: 'homing-migrate' })
  try {
    // knex's own lock is a row that a killed migration leaves set. Nobody else migrates now, so it says nothing.
    await knex.migrate.forceFreeMigrationsLock()
    await knex.migrate.latest()
    await ensureJobSchema(url)
  } finally {
    await knex.destroy()
  }
}

/**
 * Brings the schema to the newest migration. Safe to run by many processes at once: they
 * wait in line on an advisory lock, and those behind find nothing to do.
 */
export async function migrate(url: string): Promise<void> {
  await withMigrationLock(url, () => updateSchema(url))
}
