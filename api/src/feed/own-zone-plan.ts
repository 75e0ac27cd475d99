/*
 * Applies the plans of accounts to their own zones.
 *
 * A zone whose owner's plan does not include own zones any more is served for 30 days and then withheld: dnsd does not
 * answer for it. A plan that includes them restores it. A zone of a blocked account, and one at or below a locked name, is
 * not served meanwhile. Nothing is deleted. Domains in a zone that is not served are over the limit (`account-plan.ts`).
 */
import { ZONE_GRACE_DAYS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

const HAS_ZONES = `'vanity_ns' = any (p.abilities) and u.enabled`

// A blocked account has no abilities either. It keeps its zones until it is unblocked, as it keeps its domains.
const SETTLE_CLAIMS = `
  update zone_claims c
  set withheld_at = case when ${HAS_ZONES} then null else coalesce(c.withheld_at, ?::timestamptz) end,
      reminded_days = case when ${HAS_ZONES} then null else c.reminded_days end,
      state = case when ${HAS_ZONES} then 'active' when c.withheld_at <= ? then 'withheld' else c.state end,
      next_check_at = case when ${HAS_ZONES} and c.state = 'withheld' then ?::timestamptz
                           when not (${HAS_ZONES}) and c.withheld_at <= ? then null else c.next_check_at end,
      version = c.version + 1
  from users u join plans p on p.account_type = u.account_type
  where c.user_id = u.id and u.id = any (?::bigint[]) and c.state in ('active', 'withheld')
    and ((${HAS_ZONES}) = (c.withheld_at is not null) or (c.state = 'active' and c.withheld_at <= ?))
  returning c.user_id`

const SETTLE_SERVED = `
  with wanted as (
    select z.id, c.state = 'active' and u.enabled and u.account_type <> 'disabled'
           and not exists (select from locked_names l where l.fqdn = any (names_at_or_above(z.name))) as is_served
    from zones z join users u on u.id = z.owner_id
    join zone_claims c on c.name = z.name and c.user_id = z.owner_id and c.state in ('active', 'withheld')
    where z.owner_id = any (?::bigint[])
  )
  update zones z set is_served = w.is_served from wanted w where w.id = z.id and z.is_served <> w.is_served`

/** When a zone is withheld whose plan stops including it now. */
const graceEnd = (at: Date) => new Date(at.getTime() + ZONE_GRACE_DAYS * 86_400_000)

/** Makes the own zones of locked accounts fit their plans, before the domains in them are settled. */
export async function settleOwnZonePlans(
  trx: Knex.Transaction,
  userIds: readonly string[],
  at = new Date(),
): Promise<void> {
  await query(trx, SETTLE_CLAIMS, [graceEnd(at), at, at, at, userIds, at])
  await query(trx, SETTLE_SERVED, [userIds])
}

// Also those whose plan says the same as before, but whose time is over.
const DIFFERING = `
  select distinct c.user_id from zone_claims c join users u on u.id = c.user_id
  join plans p on p.account_type = u.account_type
  where c.state in ('active', 'withheld')
    and ((${HAS_ZONES}) = (c.withheld_at is not null) or (c.state = 'active' and c.withheld_at <= ?))
  order by c.user_id limit 100`

/** Accounts whose own zones do not fit their plans, at most 100. */
export async function accountsWithOtherPlans(db: Knex, at: Date): Promise<string[]> {
  const rows = await query<{ user_id: string }>(db, DIFFERING, [at])
  return rows.map(({ user_id }) => user_id)
}
