/*
 * The stealth flags of a plan: how many forwards of an account can show their target in a frame.
 *
 * The oldest stealth forwards have the flags; the others act as redirects (fallback `plan`) until the plan grows or a
 * flag gets free. Age is the order of ids, which are given under the lock of the account; a time of creation is that of
 * the start of a transaction, which may have waited. A forward that falls back for another reason uses no flag. The
 * caller holds the accounts, and every writer of forwards does, so the count is exact and no domain needs a lock for it.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { FlagUse } from '../rules/forward-settings.ts'
import { OWNERS_PER_SET_LIMIT, type ZoneOwners } from './change-set.ts'

/** What a forward has of the flags. Undefined: it does not ask for one. `RANKED` selects the others. */
const shareOf = ({ forwarding_type, fallback }: FlagUse): 'flag' | 'plan' | undefined => {
  if (forwarding_type !== 'stealth') return undefined
  if (fallback === null) return 'flag'
  return fallback === 'plan' ? 'plan' : undefined
}

/**
 * Whether the flags of an account may have to be assigned again after one of its forwards was written.
 *
 * @param before undefined: the forward is new
 * @param after undefined: the forward was deleted
 */
export const changesFlags = (before: FlagUse | undefined, after: FlagUse | undefined): boolean =>
  (before && shareOf(before)) !== (after && shareOf(after))

const RANKED = `
  with ranked as (
    select f.id, f.user_id, f.domain_id, f.fallback,
           row_number() over (partition by f.user_id order by f.id) > p.stealth_flag_limit as is_over
    from web_forwards f join users u on u.id = f.user_id join plans p on p.account_type = u.account_type
    where f.user_id = any (?::bigint[]) and f.forwarding_type = 'stealth'
      and (f.fallback is null or f.fallback = 'plan')
  ), differing as (
    select * from ranked where is_over <> (fallback is not null)
  )`

const SETTLE = `${RANKED}, due as (
    select id, domain_id, is_over from differing order by id limit ?
  ), settled as (
    update web_forwards f
    set fallback = case when due.is_over then 'plan' end, version = f.version + 1
    from due where due.id = f.id
    returning f.domain_id
  )
  select d.zone_id, array_agg(d.fqdn) as names, count(*) filter (where not d.is_wildcard)::int as forward_count
  from (select domain_id as id from settled union all
        select w.id from settled s join domains w on w.base_id = s.domain_id) as named
  join domains d on d.id = named.id
  group by d.zone_id`

/** How many flags an account uses, and how many its plan has. */
export interface StealthFlags {
  readonly used: number
  readonly limit: number
}

/** The stealth flags of an account. The result stays valid while the caller holds the account and its plan. */
export async function stealthFlags(db: Knex, userId: string): Promise<StealthFlags> {
  const [flags] = await query<StealthFlags>(
    db,
    `select p.stealth_flag_limit as limit, (
       select count(*)::int from web_forwards f
       where f.user_id = u.id and f.forwarding_type = 'stealth' and f.fallback is null) as used
     from users u join plans p on p.account_type = u.account_type where u.id = ?`,
    [userId],
    'stealth-flags',
  )
  if (flags === undefined) throw new Error(`account ${userId} does not exist`)
  return flags
}

/** Accounts among these whose stealth forwards differ from their plans. */
export async function accountsWithOtherFlags(
  db: Knex,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ user_id: string }>(
    db,
    `${RANKED} select distinct user_id from differing`,
    [userIds],
  )
  return rows.map(({ user_id }) => user_id)
}

/**
 * Assigns the flags of accounts to their oldest stealth forwards, changing at most 500 forwards. The caller holds the
 * accounts and publishes what this returns.
 *
 * @returns the names whose forwards changed, and whether all forwards now match the plans
 */
export async function settleForwardFlags(
  trx: Knex.Transaction,
  userIds: readonly string[],
): Promise<{ readonly owners: readonly ZoneOwners[]; readonly isWhole: boolean }> {
  const rows = await query<{ zone_id: string; names: string[]; forward_count: number }>(
    trx,
    SETTLE,
    [userIds, OWNERS_PER_SET_LIMIT],
  )
  const owners = rows.map((row) => ({ zoneId: row.zone_id, owners: [], forwards: row.names }))
  const count = rows.reduce((sum, { forward_count }) => sum + forward_count, 0)
  return { owners, isWhole: count < OWNERS_PER_SET_LIMIT }
}
