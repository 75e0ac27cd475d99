import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** How long the queries of the live view are kept: longer than the minute that it shows. */
const LIVE_QUERY_KEPT_SECONDS = 120

/** Deletes old queries of the live view, and watchers that have left. */
export async function expireLiveQueries(knex: Knex): Promise<void> {
  await query(
    knex,
    `delete from live_queries where at < now() - interval '${LIVE_QUERY_KEPT_SECONDS} seconds'`,
  )
  await query(knex, 'delete from live_watches where until < now()')
}
