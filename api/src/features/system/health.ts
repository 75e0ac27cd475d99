import type { Health } from '@homing/openapi'
import type { Knex } from 'knex'
import { readdirSync } from 'node:fs'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

/** The newest migration of this code, read once: the files do not change while the process runs. */
const newestMigration = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .at(-1)

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

type HealthServices = Pick<Services, 'knex' | 'log'>

const underWay = new WeakMap<Knex, Promise<Health>>()

/** Checks whether api, database and schema can serve requests. Never throws. Concurrent callers share one query. */
export async function checkHealth(services: HealthServices): Promise<Health> {
  const { knex } = services
  const asked = underWay.get(knex) ?? ask(services).finally(() => underWay.delete(knex))
  underWay.set(knex, asked)
  return asked
}

async function ask({ knex, log }: HealthServices): Promise<Health> {
  try {
    const rows = await query(knex, 'select 1 from schema_migrations where name = ?', [
      newestMigration ?? '',
    ])
    if (rows.length > 0) return { status: 'ok', checks: { database: 'ok', schema: 'ok' } }
    return { status: 'unavailable', checks: { database: 'ok', schema: 'behind' } }
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) {
      return { status: 'unavailable', checks: { database: 'ok', schema: 'behind' } }
    }
    log.warn({ err: error }, 'the database does not answer')
    return { status: 'unavailable', checks: { database: 'down', schema: 'unknown' } }
  }
}
