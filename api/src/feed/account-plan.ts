/*
 * What an account's plan means for its names.
 *
 * A plan sets the TTL of the account's names and how many of them are served. The
 * oldest are kept; those over the limit are withheld, and come back, oldest first, when
 * the plan grows or a place is freed. A wildcard goes with its base, and is withheld
 * too while the plan has no wildcards. The names of a blocked account are all withheld.
 * Nothing is deleted.
 *
 * "What should be" is one SQL query over the account's rows. What differs from it is
 * changed and published, at most 500 names in a transaction; a base and its wildcard
 * always together. A second step finds what is left by the same query, so the work can
 * stop anywhere and go on later: it remembers nothing.
 */
import type { Plan } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from './address-change.ts'
import { OWNERS_PER_SET_LIMIT, type ZoneOwners } from './change-set.ts'
import { lockAccount, lockDomains } from './lock-order.ts'
import { ownersOfDomains, publish } from './publish.ts'
import { query } from '../sql.ts'

/** A base and its wildcard are two names. */
const BASES_PER_STEP = OWNERS_PER_SET_LIMIT / 2

const DIFFERING = `
  with account as (
    select u.id, p.ttl_seconds, p.domain_limit, 'wildcard' = any (p.abilities) as has_wildcards,
           not coalesce(?::boolean, u.enabled) or p.account_type = 'disabled' as is_blocked
    from users u join plans p on p.account_type = coalesce(?::text, u.account_type)
    where u.id = ?
  ), base as (
    select d.id, row_number() over (order by d.created_at, d.id) > a.domain_limit as is_over
    from domains d join account a on a.id = d.user_id
    where not d.is_wildcard and d.id <> all (?::bigint[])
  ), wanted as (
    select base.id as group_id, d.id, d.fqdn, d.is_wildcard, d.is_active, d.locked or d.paused as is_held,
           d.ttl as ttl_before, a.ttl_seconds as ttl, a.is_blocked as owner_blocked,
           base.is_over or (d.is_wildcard and not a.has_wildcards) as over_limit,
           (d.ttl, d.over_limit, d.owner_blocked) is distinct from
             (a.ttl_seconds, base.is_over or (d.is_wildcard and not a.has_wildcards), a.is_blocked) as differs
    from account a cross join base join domains d on d.id = base.id or d.base_id = base.id
    where d.id <> all (?::bigint[])
  ), due as (
    select group_id from wanted where differs group by group_id order by group_id limit ?
  )
  select w.* from wanted w join due using (group_id) where w.differs order by w.group_id, w.id`

const SETTLE = `
  with wanted as (
    select * from json_to_recordset(?::json) as w(id bigint, ttl int, over_limit boolean, owner_blocked boolean)
  ), before as materialized (
    select d.id, d.is_active from domains d join wanted w on w.id = d.id
  ), settled as (
    update domains d
    set ttl = w.ttl, over_limit = w.over_limit, owner_blocked = w.owner_blocked, version = d.version + 1
    from wanted w where w.id = d.id
    returning d.id, d.user_id, d.fqdn, d.is_active
  )
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client)
  select s.id, s.user_id, s.fqdn, case when s.is_active then 'restored' else 'withheld' end, ?, ?, ?, ?
  from settled s join before b on b.id = s.id and b.is_active <> s.is_active`

/** A name that is not as the plan says: as it is, and as it shall be. */
export interface WantedRow {
  readonly group_id: string
  readonly id: string
  readonly fqdn: string
  readonly is_wildcard: boolean
  /** Whether it is served now. */
  readonly is_active: boolean
  /** Whether it is withheld for a reason that no plan changes. */
  readonly is_held: boolean
  readonly ttl_before: number
  readonly ttl: number
  readonly over_limit: boolean
  readonly owner_blocked: boolean
}

/** Names that are not yet as the plan says. */
export interface PlanDifference {
  readonly rows: readonly WantedRow[]
  /** Whether these are all. */
  readonly isWhole: boolean
}

/** An account as it may become; what is left out stays. */
export interface PlanWish {
  readonly accountType?: Plan['id'] | undefined
  readonly enabled?: boolean | undefined
}

/** The plan acts, not a person: a name's history says so. */
const SYSTEM: Actor = { kind: 'system', id: null, sourceIp: null, client: null }

interface DifferenceOptions {
  /** Domains that are about to be deleted: their places are free. */
  readonly leaving?: readonly string[]
  /** Most bases of the step, each with its wildcard; null: all. */
  readonly basesLimit?: number | null
  /** What the plan would be: whoever asks only wants to know. */
  readonly wish?: PlanWish
}

/**
 * The names that differ from what the plan says, those of one step. A caller that changes
 * them holds the account's lock, so that the answer stays true until it ends.
 */
export async function planDifference(
  db: Knex,
  userId: string,
  options: DifferenceOptions = {},
): Promise<PlanDifference> {
  const { leaving = [], basesLimit = BASES_PER_STEP, wish = {} } = options
  const { accountType = null, enabled = null } = wish
  // One more than wanted tells whether there are more.
  const limit = basesLimit === null ? null : basesLimit + 1
  const rows = await query<WantedRow>(db, DIFFERING, [
    enabled,
    accountType,
    userId,
    leaving,
    leaving,
    limit,
  ])
  if (basesLimit === null) return { rows, isWhole: true }
  const groups = [...new Set(rows.map((row) => row.group_id))]
  const last = groups[basesLimit]
  return { rows: rows.filter((row) => row.group_id !== last), isWhole: last === undefined }
}

/**
 * Brings names to what the plan says. The caller holds their locks, and publishes the
 * owners that come back.
 */
export async function settleDifference(
  trx: Knex.Transaction,
  { rows }: PlanDifference,
  actor: Actor = SYSTEM,
): Promise<ZoneOwners[]> {
  if (rows.length === 0) return []
  await query(trx, SETTLE, [
    JSON.stringify(rows),
    actor.kind,
    actor.id,
    actor.sourceIp,
    actor.client,
  ])
  return ownersOfDomains(
    trx,
    rows.map(({ id }) => id),
  )
}

/**
 * Applies the plan that the account has now, to at most 500 of its names, and publishes
 * them: the last thing that a transaction does with names.
 *
 * @returns whether the account's names are now as the plan says; if not, the job
 * `account-plan` does the rest
 */
export async function applyAccountPlan(
  trx: Knex.Transaction,
  userId: string,
  actor: Actor = SYSTEM,
): Promise<{ isWhole: boolean }> {
  await lockAccount(trx, userId)
  const difference = await planDifference(trx, userId)
  await lockDomains(
    trx,
    difference.rows.map(({ id }) => id),
  )
  await publish(trx, await settleDifference(trx, difference, actor))
  return { isWhole: difference.isWhole }
}
