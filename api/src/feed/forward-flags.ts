/*
 * The stealth flags of a plan: how many forwards of an account can show their target in a frame.
 *
 * The oldest stealth forwards have the flags; the others act as redirects (fallback `plan`) until the plan grows or a
 * flag gets free. A forward that falls back for another reason uses no flag. The caller holds the accounts, and every
 * writer of forwards does, so the count is exact and no row of a domain needs a lock for it.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { OWNERS_PER_SET_LIMIT } from './change-set.ts'

/** A forward and its wildcard are two names. */
const FORWARDS_PER_STEP = OWNERS_PER_SET_LIMIT / 2

const RANKED = `
  with ranked as (
    select f.id, f.user_id, f.domain_id, f.fallback,
           row_number() over (partition by f.user_id order by f.created_at, f.id) > p.stealth_flag_limit as is_over
    from web_forwards f join users u on u.id = f.user_id join plans p on p.account_type = u.account_type
    where f.user_id = any (?::bigint[]) and f.forwarding_type = 'stealth'
      and (f.fallback is null or f.fallback = 'plan')
  ), differing as (
    select * from ranked where is_over <> (fallback is not null) order by id
  )`

const SETTLE = `${RANKED}, due as (
    select id, domain_id, is_over from differing limit ?
  ), settled as (
    update web_forwards f
    set fallback = case when due.is_over then 'plan' end, version = f.version + 1
    from due where due.id = f.id
    returning f.domain_id
  )
  select d.fqdn, s.domain_id from settled s join domains d on d.id = s.domain_id or d.base_id = s.domain_id`

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
  )
  if (flags === undefined) throw new Error(`account ${userId} does not exist`)
  return flags
}

/** Accounts among these whose stealth forwards differ from their plans. */
export async function accountsOverFlags(db: Knex, userIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ user_id: string }>(
    db,
    `${RANKED} select distinct user_id from differing`,
    [userIds],
  )
  return rows.map(({ user_id }) => user_id)
}

/**
 * Assigns the flags of accounts to their oldest stealth forwards, changing at most 250 forwards. The caller holds the
 * accounts and publishes the names.
 *
 * @returns the names whose forwards changed, and whether all forwards now match the plans
 */
export async function settleForwardFlags(
  trx: Knex.Transaction,
  userIds: readonly string[],
): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
  const rows = await query<{ fqdn: string; domain_id: string }>(trx, SETTLE, [
    userIds,
    FORWARDS_PER_STEP,
  ])
  const settled = new Set(rows.map(({ domain_id }) => domain_id))
  return { names: rows.map(({ fqdn }) => fqdn), isWhole: settled.size < FORWARDS_PER_STEP }
}
