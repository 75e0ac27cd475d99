/** What is kept about domains beside their rows, without a foreign key: history, counts of questions, update calls. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** Rows of a table that one call erases: what a transaction may take without keeping others waiting. */
const ROWS_LIMIT = 5_000

/** Each table with the columns that tell its rows apart, the domain's first: the order of an index. */
const TRACES: Readonly<Record<string, string>> = {
  domain_events: 'domain_id, id',
  domain_queries: 'domain_id, hour',
  domain_query_countries: 'domain_id, hour, country',
  domain_query_networks: 'domain_id, hour, asn',
  update_calls: 'domain_id, is_refused, place',
  update_call_rings: 'domain_id',
}

/**
 * Erases traces of domains, some thousands at a time.
 *
 * @returns whether none is left
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
 * Makes nameless what an administrator did to names of others, some thousands at a time: who it was, and from where and
 * with what, is forgotten. That it was done, and by an administrator, stays in the history of the name.
 *
 * @returns whether none is left
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
