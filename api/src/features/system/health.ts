import type { Health } from '@homing/openapi'
import { readdirSync } from 'node:fs'
import { query } from '../../sql.ts'
import type { Services } from '../../services.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

/** The newest migration that this code knows, read once: the files do not change under a running process. */
const newestMigration = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .at(-1)

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

/** Whether api, database and schema can serve. Never throws. */
export async function checkHealth({ knex, log }: Pick<Services, 'knex' | 'log'>): Promise<Health> {
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
