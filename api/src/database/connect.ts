/**
 * The only way to connect to PostgreSQL, for the API, the worker and scripts.
 *
 * Every connection has the limits of docs/design.md "The feed": a client that is lost or stuck must
 * never hold a zone's serial for longer than 5 s.
 */
import knexModule, { type Knex } from 'knex'
import { fileURLToPath } from 'node:url'
import { useLightTransactions } from './light-transactions.ts'
import { giveUpOnSilence } from './silence.ts'
import {
  type ConnectionLimits,
  SCRIPT_LIMITS,
  SERVICE_LIMITS,
  sessionOptions,
} from './connection-limits.ts'
import { ensureJobSchema } from '../queue/job-queue.ts'

// knex's types describe its CommonJS export; under nodenext the callable is the default export
// itself.
const makeKnex = knexModule.default

export interface ConnectOptions {
  readonly url: string
  readonly limits?: ConnectionLimits
  readonly maxConnections?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
}

/**
 * knex reports lost connections. They go to stderr as one line: stdout is for a command's output, and the caller gets the
 * error.
 */
const complain = (message: unknown) =>
  void process.stderr.write(`${String(message).split('\n', 1)[0]}\n`)

// A quiet service has an update now and then. A new connection with its prepared plans costs ten times as much as the
// update. So these connections stay open, and only the additional ones of a busy hour are closed.
const KEPT_CONNECTIONS = 2

/** A connection pool with these limits. The caller ends it with `destroy()`. */
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
  useLightTransactions(knex)
  giveUpOnSilence(knex, limits)
  return knex
}

/** Any number that no other lock uses. */
const MIGRATION_LOCK = 7_204_611

/**
 * Runs `work` while this process holds the migration lock of the database. Other processes that
 * want the lock wait without a limit.
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

/** Migrates the schema to the newest version, including the job tables. The caller holds the migration lock. */
export async function updateSchema(url: string): Promise<void> {
  const limits = { ...SCRIPT_LIMITS, idleInTransactionMs: 0 }
  const knex = connect({ url, limits, maxConnections: 2, applicationName: 'homing-migrate' })
  try {
    // knex's own lock is a row that a killed migration leaves set. No other process can migrate now, so the row
    // is stale.
    await knex.migrate.forceFreeMigrationsLock()
    await knex.migrate.latest()
    await ensureJobSchema(url)
  } finally {
    await knex.destroy()
  }
}

/**
 * Migrates the schema to the newest version. Many processes can run this at once: they wait for an
 * advisory lock, and the later ones find nothing to do.
 */
export async function migrate(url: string): Promise<void> {
  await withMigrationLock(url, () => updateSchema(url))
}
