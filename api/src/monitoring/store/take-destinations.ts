/** Limits how often one address is checked, over all accounts and workers. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'
import { ascending } from './ascending.ts'

/** Checks of one address in a minute. */
export const DESTINATION_LIMIT = 120

// In the order of the addresses, so that two workers never wait for each other in a circle. Checks over the limit are
// counted too, which changes nothing: the limit stays reached.
const TAKE = `
  insert into monitor_destinations as d (address, minute, checks)
  select address, date_trunc('minute', now()), count(*) from unnest(?::inet[]) as address group by address order by address
  on conflict (address, minute) do update set checks = d.checks + excluded.checks
  returning host(address) as address, checks`

/**
 * Takes places for checks that are about to begin.
 *
 * @param addresses one for each check
 * @returns how many checks of each address are allowed now; the others must be postponed
 */
export async function takeDestinations(
  knex: Knex,
  addresses: readonly string[],
): Promise<Map<string, number>> {
  if (addresses.length === 0) return new Map()
  const wanted = new Map<string, number>()
  for (const address of addresses) wanted.set(address, (wanted.get(address) ?? 0) + 1)
  const rows = await query<{ address: string; checks: number }>(knex, TAKE, [addresses])
  return new Map(
    rows.map(({ address, checks }) => {
      const asked = wanted.get(address) ?? 0
      const left = DESTINATION_LIMIT - (checks - asked)
      return [address, Math.min(asked, Math.max(0, left))]
    }),
  )
}

// Spread over the next minute. The state stays, and no result is expected before.
const POSTPONE = `
  with held as (
    select monitor_id, date_trunc('minute', now()) + make_interval(secs => 60 + random() * 55) as due_at
    from monitor_schedule where lease = ? and monitor_id = any (?::bigint[]) and due_at is not null
    order by monitor_id for update
  )
  update monitor_schedule s
  set due_at = h.due_at, expected_by = h.due_at + interval '${RESULT_EXPECTED_MS} milliseconds',
      lease = null, leased_until = null
  from held h where s.monitor_id = h.monitor_id`

/** Postpones claimed checks to the next minute, because their addresses are checked too often. */
export async function postpone(
  knex: Knex,
  lease: string,
  monitorIds: readonly string[],
): Promise<void> {
  if (monitorIds.length > 0) await query(knex, POSTPONE, [lease, ascending(monitorIds)])
}
