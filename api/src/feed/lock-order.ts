/*
 * The order of locks.
 *
 * Every transaction that changes DNS data takes its locks in one order: the account, its plan, the
 * names of own zones, the place of a new name, domains by id, the blocked targets, then the serials of zones by id, and last the serial of the
 * forward feed; `publish` takes both. `lockNamedDomains` locks domains by their names.
 * Payments lock the rows of an account's subscriptions directly after the account (`payments/rows.ts`).
 * Transactions that keep this order can wait for each other but never deadlock. The serial, which
 * all writers of a zone share, is held for the shortest time.
 *
 * These functions are the only ways to take these locks, except for the SQL function
 * `write_addresses`, a transaction of its own that keeps the same order. Each function records on
 * the transaction how far it has come. Taking an earlier lock after a later one throws immediately,
 * in the first test that runs the code, and not as a deadlock under load. Within one step the same
 * rule holds for ids: a second call can only take higher ones.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { Domain } from '../models/domain.ts'
import { everyColumnOf } from '../models/table.ts'
import type { DomainRow, LockedAccount } from './rows.ts'

const STEPS = [
  'account',
  'plan',
  'own-zones',
  'place',
  'domains',
  'targets',
  'serials',
  'forwards',
] as const
export type LockStep = (typeof STEPS)[number]

interface Progress {
  step: LockStep
  /** The greatest key taken in this step; the keys of a step are ordered. */
  last: string
  held: Set<string>
}

const progressOf = new WeakMap<Knex.Transaction, Progress>()

function isAfter(key: string, other: string): boolean {
  return key.length > other.length || (key.length === other.length && key > other)
}

/** Distinct ids or names in ascending order: the order in which they are locked. */
export function ascendingIds(ids: Iterable<string>): string[] {
  const order = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1)
  return [...new Set(ids)].toSorted(order)
}

/**
 * Records that this transaction is about to take `keys` (ascending) of a step.
 *
 * @throws Error when the transaction already holds a later lock: a bug in the calling code
 */
export function enterStep(trx: Knex.Transaction, step: LockStep, keys: readonly string[]): void {
  const progress = progressOf.get(trx)
  if (progress === undefined || STEPS.indexOf(progress.step) < STEPS.indexOf(step)) {
    progressOf.set(trx, { step, last: keys.at(-1) ?? '', held: new Set(keys) })
    return
  }
  const fresh = keys.filter((key) => !progress.held.has(key))
  const first = fresh[0]
  if (progress.step !== step) {
    throw new Error(`lock order: ${step} must be locked before ${progress.step}`)
  }
  if (step === 'serials' || step === 'forwards') {
    throw new Error('lock order: a transaction publishes once, at its end')
  }
  if (first !== undefined && progress.last !== '' && !isAfter(first, progress.last)) {
    throw new Error(`lock order: ${step} ${first} must be locked before ${progress.last}`)
  }
  for (const key of fresh) progress.held.add(key)
  progress.last = fresh.at(-1) ?? progress.last
}

/** The account's row, locked until the transaction ends; undefined when it does not exist. */
export async function lockAccount(
  trx: Knex.Transaction,
  userId: string,
): Promise<LockedAccount | undefined> {
  const [row] = await lockAccounts(trx, [userId])
  return row
}

/** Several accounts' rows in id order, locked until the transaction ends. */
export async function lockAccounts(
  trx: Knex.Transaction,
  userIds: readonly string[],
): Promise<LockedAccount[]> {
  const ids = ascendingIds(userIds)
  enterStep(trx, 'account', ids)
  // "No key": sign-ins and other new rows that refer to the account do not have to wait.
  return query<LockedAccount>(
    trx,
    `select id, username, account_type, enabled, email_verified_at, credential_version
     from users where id = any (?::bigint[]) order by id for no key update`,
    [ids],
  )
}

/**
 * Prevents changes of plans until the transaction ends, for transactions that apply a plan to names. It blocks only
 * changes of the plan, so a transaction that applies such a change sees every name that was written under the old plan.
 */
export async function holdPlans(
  trx: Knex.Transaction,
  accountTypes: Iterable<string>,
): Promise<void> {
  const plans = ascendingIds(accountTypes)
  enterStep(trx, 'plan', plans)
  await query(
    trx,
    `select pg_advisory_xact_lock_shared(hashtextextended('plan ' || plan, 0)) from unnest(?::text[]) as plan`,
    [plans],
  )
}

/** Locks a plan exclusively, to change it: earlier users of the plan have committed, and later ones wait. */
export async function lockPlan(trx: Knex.Transaction, accountType: string): Promise<void> {
  enterStep(trx, 'plan', [accountType])
  await query(trx, `select pg_advisory_xact_lock(hashtextextended('plan ' || ?, 0))`, [accountType])
}

/**
 * Locks the names of own zones: claims of these domains, and the rows of their zones, change in one transaction at a time.
 */
export async function lockOwnZones(trx: Knex.Transaction, names: Iterable<string>): Promise<void> {
  const keys = ascendingIds(names)
  enterStep(trx, 'own-zones', keys)
  await query(
    trx,
    `select pg_advisory_xact_lock(hashtextextended('own zone ' || name, 0)) from unnest(?::text[]) as name`,
    [keys],
  )
}

/** The place of a new name: its zone, and the label directly below the zone. */
export interface Place {
  readonly zoneId: string
  readonly labelBelowZone: string
}

/**
 * Locks the place of a new name: everything at and below the label directly under the zone (`home`
 * for `x.home.<zone>`). Two registrations below one label wait for each other, so each sees the
 * other's names; a zone's import waits too.
 */
export async function lockPlace(
  trx: Knex.Transaction,
  zoneId: string,
  labelBelowZone: string,
): Promise<void> {
  await lockPlaces(trx, [{ zoneId, labelBelowZone }])
}

/** Locks the places of new names, in one order. */
export async function lockPlaces(trx: Knex.Transaction, places: readonly Place[]): Promise<void> {
  const keys = ascendingIds(
    places.map(({ zoneId, labelBelowZone }) => `${zoneId} ${labelBelowZone}`),
  )
  if (keys.length === 0) return
  enterStep(trx, 'place', keys)
  await query(
    trx,
    `select pg_advisory_xact_lock_shared(hashtextextended('zone ' || zone, 0)) from unnest(?::text[]) as zone`,
    [ascendingIds(places.map(({ zoneId }) => zoneId))],
  )
  await query(
    trx,
    `select pg_advisory_xact_lock(hashtextextended('place ' || place, 0)) from unnest(?::text[]) as place`,
    [keys],
  )
}

/** Locks all places of a zone, for writers of records that belong to no user. */
export async function lockAllPlaces(trx: Knex.Transaction, zoneId: string): Promise<void> {
  enterStep(trx, 'place', [zoneId])
  await query(trx, `select pg_advisory_xact_lock(hashtextextended('zone ' || ?, 0))`, [zoneId])
}

const LOCK_DOMAINS = `
  select ${everyColumnOf(Domain, 'd')} from domains d where id = any (?::bigint[]) order by id for update`

/**
 * Rows of domains, locked in id order until the transaction ends, read after locking. Ids that do
 * not exist are missing from the result. A transaction that changes a domain's wildcard or records
 * must lock the domain too.
 */
export async function lockDomains(
  trx: Knex.Transaction,
  domainIds: Iterable<string>,
): Promise<DomainRow[]> {
  const ids = ascendingIds(domainIds)
  enterStep(trx, 'domains', ids)
  return query<DomainRow>(trx, LOCK_DOMAINS, [ids], 'lock-domains')
}

const BLOCKED_TARGETS = `hashtextextended('blocked targets', 0)`

/** Prevents new blocks of targets until the transaction ends, for transactions that write a forward's target. */
export async function holdBlockedTargets(trx: Knex.Transaction): Promise<void> {
  enterStep(trx, 'targets', [])
  const sql = `select pg_advisory_xact_lock_shared(${BLOCKED_TARGETS})`
  await query(trx, sql, [], 'hold-blocked-targets')
}

/** Waits for writers of forwards, to block a target: earlier ones have committed, and later ones wait. */
export async function lockBlockedTargets(trx: Knex.Transaction): Promise<void> {
  enterStep(trx, 'targets', [])
  await query(trx, `select pg_advisory_xact_lock(${BLOCKED_TARGETS})`)
}

// Each step needs the row of the step before it, so the locks are taken in this order. A row that changed while its lock
// was awaited is read again by PostgreSQL; nothing else is read here, because it would be older than the locks.
const HELD_ACCOUNT = `
  with account as materialized (
    select id, account_type, enabled from users where id = ? for no key update
  ), held as materialized (
    select account.*, pg_advisory_xact_lock_shared(hashtextextended('plan ' || account_type, 0)) from account
  )`

const HOLD_ACCOUNT = `${HELD_ACCOUNT} select account_type, enabled from held`

/** What rules need of an account that is locked with its plan. */
export type HeldAccount = Pick<LockedAccount, 'account_type' | 'enabled'>

/** As `lockAccount` and `holdPlans`, in one statement. Undefined: the account does not exist. */
export async function holdAccount(
  trx: Knex.Transaction,
  userId: string,
): Promise<HeldAccount | undefined> {
  enterStep(trx, 'account', [userId])
  const [account] = await query<HeldAccount>(trx, HOLD_ACCOUNT, [userId], 'hold-account')
  if (account !== undefined) enterStep(trx, 'plan', [account.account_type])
  return account
}

const HOLD_OWNED_DOMAIN = `${HELD_ACCOUNT}
  select held.account_type as owner_type, held.enabled as owner_enabled, ${everyColumnOf(Domain, 'd')}
  from held left join lateral (select * from domains where id = ? and user_id = held.id for update) as d on true`

/** A domain, locked after its account and the account's plan. */
export interface HeldDomain {
  readonly account: HeldAccount
  /** Undefined: the account has no such domain. */
  readonly domain: DomainRow | undefined
}

type HeldRow = {
  readonly owner_type: LockedAccount['account_type']
  readonly owner_enabled: boolean
} & (DomainRow | Readonly<Record<keyof DomainRow, null>>)

/** As `lockAccount`, `holdPlans` and `lockDomains`, in one statement. Undefined: the account does not exist. */
export async function holdOwnedDomain(
  trx: Knex.Transaction,
  userId: string,
  domainId: string,
): Promise<HeldDomain | undefined> {
  enterStep(trx, 'account', [userId])
  const values = [userId, domainId]
  const [row] = await query<HeldRow>(trx, HOLD_OWNED_DOMAIN, values, 'hold-owned-domain')
  if (row === undefined) return undefined
  const { owner_type, owner_enabled, ...domain } = row
  enterStep(trx, 'plan', [owner_type])
  enterStep(trx, 'domains', [domainId])
  return {
    account: { account_type: owner_type, enabled: owner_enabled },
    domain: domain.id === null ? undefined : domain,
  }
}
