/** Announces changed monitors to the live streams of all replicas. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'

/** The ids of domains, with commas between them. */
export const MONITORS_CHANNEL = 'homing_monitors'
/** Maximum number of ids in a notification, which may have 8,000 octets. */
const NOTIFIED_IDS = 400

// One statement; PostgreSQL sends the notifications after the commit.
const NOTIFY = `
  select pg_notify('${MONITORS_CHANNEL}', string_agg(id, ','))
  from unnest(?::text[]) with ordinality as c(id, n) group by (n - 1) / ${NOTIFIED_IDS}`

/** Announces that the state or the settings of the monitors of these domains changed, once the transaction commits. */
export async function notifyMonitors(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<void> {
  if (domainIds.length > 0) await query(trx, NOTIFY, [domainIds])
}
