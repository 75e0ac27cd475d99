/** Data about domains outside their rows, without a foreign key: history, query counts, update calls. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/**
 * Maximum number of rows of a table that one call erases, so that its transaction does not make others
 * wait.
 */
const ROWS_LIMIT = 5_000

/** Each table with the columns that identify its rows, the domain's first: the order of an index. */
const TRACES: Readonly<Record<string, string>> = {
  domain_events: 'domain_id, id',
  queries_5m: 'domain_id, dimension, at, value',
  queries_1h: 'domain_id, dimension, at, value',
  queries_1d: 'domain_id, dimension, at, value',
  update_calls: 'domain_id, is_refused, place',
  update_call_rings: 'domain_id',
}

/**
 * Erases data of domains, some thousands of rows at a time.
 *
 * @returns whether nothing is left
 */
export async function eraseTraces(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<boolean> {
  if (domainIds.length === 0) return true
  for (const [table, key] of Object.entries(TRACES)) {
    const gone = await query(
      trx,
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where domain_id = any (?::bigint[]) limit ${ROWS_LIMIT})
       returning 1`,
      [domainIds],
    )
    if (gone.length === ROWS_LIMIT) return false
  }
  return true
}

/**
 * Anonymises an administrator's actions on other accounts' names, some thousands at a time: removes the account, the
 * address and the client. The history of the name still shows the action, and that an administrator did it.
 *
 * @returns whether nothing is left
 */
export async function forgetAdministrator(trx: Knex.Transaction, userId: string): Promise<boolean> {
  const changed = await query(
    trx,
    `update domain_events set actor_id = null, source_ip = null, client = null
     where (domain_id, id) in (
       select domain_id, id from domain_events
       where actor = 'administrator' and actor_id = ? limit ${ROWS_LIMIT})
     returning 1`,
    [userId],
  )
  return changed.length < ROWS_LIMIT
}
