/** Limits how often one address is checked, over all accounts and workers. An IPv6 address stands for its /64. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'
import { ascending } from './ascending.ts'

/** Checks of one address in a minute, for all accounts. */
export const DESTINATION_LIMIT = 120
/** And for one of them, so that none takes all. */
export const ACCOUNT_LIMIT = 60

/** A state is known for this time after a check, or for two intervals where that is longer. */
const KNOWN_FOR = '5 minutes'

/** The row of all accounts. */
const ALL = 0

// In the order of the addresses, those of accounts before those of all, so that two workers never wait for each other in a
// circle. Checks over a limit are counted too, which changes nothing: the limit stays reached. Those over the limit of
// their account do not count for all.
const TAKE = `
  with asked as (
    select n, user_id, case family(address) when 6 then network(set_masklen(address, 64))::inet else address end as address
    from unnest(?::bigint[], ?::inet[]) with ordinality as a(user_id, address, n)
  ), own as (
    insert into monitor_destinations as d (address, minute, user_id, checks)
    select address, date_trunc('minute', now()), user_id, count(*) from asked group by address, user_id
    order by address, user_id
    on conflict (address, minute, user_id) do update set checks = d.checks + excluded.checks
    returning address, user_id, checks
  ), allowed as (
    select p.n, p.address
    from (
      select a.*, row_number() over (partition by address, user_id order by n) as place,
             count(*) over (partition by address, user_id) as asked
      from asked a
    ) as p join own o using (address, user_id)
    where p.place <= ${ACCOUNT_LIMIT} - (o.checks - p.asked)
  ), total as (
    insert into monitor_destinations as d (address, minute, user_id, checks)
    select address, date_trunc('minute', now()), ${ALL}, count(*) from allowed group by address order by address
    on conflict (address, minute, user_id) do update set checks = d.checks + excluded.checks
    returning address, checks
  )
  select p.n::int - 1 as place
  from (
    select a.*, row_number() over (partition by address order by n) as place, count(*) over (partition by address) as asked
    from allowed a
  ) as p join total t using (address)
  where p.place <= ${DESTINATION_LIMIT} - (t.checks - p.asked)`

/** A check that is about to connect to an address. */
export interface Destined {
  readonly userId: string
  readonly address: string
}

/**
 * Takes places for checks that are about to begin.
 *
 * @returns the checks that are allowed now; the others must be postponed
 */
export async function takeDestinations<Check extends Destined>(
  knex: Knex,
  checks: readonly Check[],
): Promise<Set<Check>> {
  if (checks.length === 0) return new Set()
  const rows = await query<{ place: number }>(knex, TAKE, [
    checks.map(({ userId }) => userId),
    checks.map(({ address }) => address),
  ])
  return new Set(rows.flatMap(({ place }) => checks[place] ?? []))
}

// Spread over the next minute. The state stays, and no result is expected before. When checks have been missing for long,
// the state is no longer known: a result is expected when it was before, so that the next one finds a gap.
const POSTPONE = `
  with held as (
    select s.monitor_id, date_trunc('minute', now()) + make_interval(secs => 60 + random() * 55) as due_at,
           s.last_check_at < now() - greatest(interval '${KNOWN_FOR}', make_interval(secs => 2 * m.interval_seconds)) as is_unknown
    from monitor_schedule s join monitors m on m.id = s.monitor_id
    where s.lease = ? and s.monitor_id = any (?::bigint[]) and s.due_at is not null
    order by s.monitor_id for update of s
  )
  update monitor_schedule s
  set due_at = h.due_at,
      expected_by = case when h.is_unknown then s.expected_by
        else h.due_at + interval '${RESULT_EXPECTED_MS} milliseconds' end,
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
