/*
 * Applies an account's plan to its names.
 *
 * A plan sets the TTL of the account's names and how many of them are served. The oldest names are
 * served; those over the limit are withheld and restored, oldest first, when the plan grows or a name
 * is deleted. A wildcard goes with its base, and is also withheld while the plan has no wildcards, as are the names in
 * an own zone that is withheld (`own-zone-plan.ts`). All
 * names of a blocked account are withheld. The oldest stealth forwards have the plan's flags (`forward-flags.ts`).
 * Nothing is deleted.
 *
 * One SQL query over the rows of one or more accounts computes the wanted state. Names that differ from
 * it are changed and published, at most 500 in a transaction; a base and its wildcard always together.
 * The next step runs the same query to find the rest. The work keeps no state, so it can stop anywhere
 * and continue later.
 */
import type { Plan } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Actor, SYSTEM } from './address-change.ts'
import { OWNERS_PER_SET_LIMIT, type ZoneOwners } from './change-set.ts'
import { settleForwardFlags } from './forward-flags.ts'
import { holdPlans, lockAccounts, lockDomains } from './lock-order.ts'
import { settleOwnZonePlans } from './own-zone-plan.ts'
import { ownersOfDomains, publish } from './publish.ts'
import { query } from '../database/sql.ts'

/** A base and its wildcard are two names. */
const BASES_PER_STEP = OWNERS_PER_SET_LIMIT / 2

const WANTED = `
  with account as (
    select u.id, coalesce(?::int, p.ttl_seconds) as ttl_seconds, coalesce(?::int, p.domain_limit) as domain_limit,
           'wildcard' = any (coalesce(?::text[], p.abilities)) as has_wildcards,
           not coalesce(?::boolean, u.enabled) or p.account_type = 'disabled' as is_blocked
    from users u join plans p on p.account_type = coalesce(?::text, u.account_type)
    where u.id = any (?::bigint[])
  ), base as (
    select d.id, row_number() over (partition by d.user_id order by d.created_at, d.id) > a.domain_limit as is_over
    from domains d join account a on a.id = d.user_id
    where not d.is_wildcard and d.id <> all (?::bigint[])
  ), wanted as (
    select base.id as group_id, d.id, d.user_id, d.fqdn, d.is_wildcard, d.is_active,
           d.locked or d.paused as is_held,
           d.ttl as ttl_before, a.ttl_seconds as ttl, a.is_blocked as owner_blocked,
           fits.over_limit,
           (d.ttl, d.over_limit, d.owner_blocked) is distinct from
             (a.ttl_seconds, fits.over_limit, a.is_blocked) as differs
    from account a join domains d on d.user_id = a.id join base on base.id = coalesce(d.base_id, d.id)
    join zones z on z.id = d.zone_id
    cross join lateral (
      select base.is_over or not z.is_served or (d.is_wildcard and not a.has_wildcards) as over_limit
    ) as fits
    where d.id <> all (?::bigint[])
  )`

const DIFFERING = `${WANTED}, due as (
    select group_id from wanted where differs group by group_id order by group_id limit ?
  )
  select w.* from wanted w join due using (group_id) where w.differs order by w.group_id, w.id`

const COUNTED = `${WANTED}, differing as (
    select *, not (is_held or over_limit or owner_blocked) as stays_active from wanted where differs
  )
  select count(distinct user_id)::int as changed_account_count,
         count(*) filter (where is_active and not stays_active)::int as withheld_count,
         count(*) filter (where not is_active and stays_active)::int as restored_count,
         count(*) filter (where ttl <> ttl_before)::int as ttl_change_count
  from differing`

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

/** A name that differs from its plan: its present and its wanted state. */
export interface WantedRow {
  readonly group_id: string
  readonly id: string
  readonly user_id: string
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

/** Names that differ from their plan. */
export interface PlanDifference {
  readonly rows: readonly WantedRow[]
  /** Whether these are all such names. */
  readonly isWhole: boolean
}

/** A hypothetical change of an account or its plan; omitted fields stay as they are. */
export interface PlanWish {
  readonly accountType?: Plan['id'] | undefined
  readonly enabled?: boolean | undefined
  readonly terms?: PlanTerms | undefined
}

/** The terms of a plan that affect names; omitted fields stay as they are. */
export interface PlanTerms {
  readonly domain_limit?: number | undefined
  /** Seconds. */
  readonly ttl?: number | undefined
  readonly abilities?: readonly string[] | undefined
}

/** How many names differ from a plan, by kind of difference, and how many accounts own them. */
export interface DifferenceCounts {
  readonly changed_account_count: number
  readonly withheld_count: number
  readonly restored_count: number
  readonly ttl_change_count: number
}

interface DifferenceOptions {
  /** Domains that are about to be deleted; they do not count towards the limit. */
  readonly leaving?: readonly string[]
  /** Maximum number of bases in the step, each with its wildcard; null: all. */
  readonly basesLimit?: number | null
  /** A hypothetical change, for previews. */
  readonly wish?: PlanWish
}

/** The values of `WANTED`, in the order of its `?`. */
function wantedOf(userIds: readonly string[], leaving: readonly string[], wish: PlanWish) {
  const { accountType = null, enabled = null, terms = {} } = wish
  const { ttl = null, domain_limit = null, abilities = null } = terms
  return [ttl, domain_limit, abilities, enabled, accountType, userIds, leaving, leaving]
}

/**
 * The names of some accounts that differ from their plans, for one step. A caller that changes them
 * holds the locks of the accounts and plans, so that the result stays valid until its transaction
 * ends.
 */
export async function planDifference(
  db: Knex,
  userIds: readonly string[],
  options: DifferenceOptions = {},
): Promise<PlanDifference> {
  const { leaving = [], basesLimit = BASES_PER_STEP, wish = {} } = options
  // Reads one more than wanted, to see whether there are more.
  const limit = basesLimit === null ? null : basesLimit + 1
  const rows = await query<WantedRow>(db, DIFFERING, [...wantedOf(userIds, leaving, wish), limit])
  if (basesLimit === null) return { rows, isWhole: true }
  const groups = [...new Set(rows.map((row) => row.group_id))]
  const last = groups[basesLimit]
  return { rows: rows.filter((row) => row.group_id !== last), isWhole: last === undefined }
}

/** Counts the names that would differ under other plans, by the same conditions, without reading the names. */
export async function countDifference(
  db: Knex,
  userIds: readonly string[],
  wish: PlanWish,
): Promise<DifferenceCounts> {
  const [counts] = await query<DifferenceCounts>(db, COUNTED, wantedOf(userIds, [], wish))
  if (counts === undefined) throw new Error('a count has a row')
  return counts
}

/**
 * Changes names to match the plan. The caller holds their locks, and publishes the owners that this
 * returns.
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
 * Applies the present plans of accounts to at most 500 of their names and 500 forwards, and publishes them. A
 * transaction must do nothing with names after this.
 *
 * @returns whether all names and forwards of the accounts now match the plans; if not, a job does the rest:
 * `account-plan` after a change of one account, `plan` after a change of a plan
 */
export async function applyPlans(
  trx: Knex.Transaction,
  userIds: readonly string[],
  actor: Actor = SYSTEM,
): Promise<{ isWhole: boolean }> {
  const accounts = await lockAccounts(trx, userIds)
  await holdPlans(
    trx,
    accounts.map(({ account_type }) => account_type),
  )
  await settleOwnZonePlans(trx, userIds)
  const difference = await planDifference(trx, userIds)
  await lockDomains(
    trx,
    difference.rows.map(({ id }) => id),
  )
  const settled = await settleDifference(trx, difference, actor)
  const flags = await settleForwardFlags(trx, userIds)
  await publish(trx, [...settled, ...flags.owners])
  return { isWhole: difference.isWhole && flags.isWhole }
}

/** As `applyPlans`, for one account. */
export async function applyAccountPlan(
  trx: Knex.Transaction,
  userId: string,
  actor?: Actor,
): Promise<{ isWhole: boolean }> {
  return applyPlans(trx, [userId], actor)
}
