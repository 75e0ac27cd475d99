/*
 * Locks on names (table `locked_names`).
 *
 * An administrator locks a name. The lock applies to the name and to everything below it: domains there
 * have the flag `locked`, are not served and accept no updates, and no name can be registered and no
 * wildcard created there. A lock does not expire. It outlives the domain and the account that owned the
 * name, and only an administrator can remove it.
 *
 * A name above a locked name stays free: its own addresses do not answer for the names below it. Its
 * wildcard would (RFC 4592), as would a delegation or a DNAME, so these are refused while the locked name
 * has no domain. A locked domain is published as an empty name, which blocks the wildcard by itself. A
 * wildcard record of an imported zone is not refused: it gives every free name the operator's own address.
 *
 * One query over the domains at and below a name decides which of them should be locked. Domains that
 * differ are changed and published, at most 500 in a transaction; the job `name-lock` does the rest.
 */
import type { Knex } from 'knex'
import { LockedName } from '../models/locked-name.ts'
import { query } from '../database/sql.ts'
import { type Actor, SYSTEM } from './address-change.ts'
import { OWNERS_PER_SET_LIMIT } from './change-set.ts'
import { lockAccounts, lockDomains } from './lock-order.ts'
import { settleOwnZonePlans } from './own-zone-plan.ts'
import { publishDomains } from './publish.ts'
import type { JobQueue } from '../queue/job-queue.ts'

// '.' and '/' are neighbours in ASCII: every name from `tset.gnimoh.emoh.` up to `tset.gnimoh.emoh/` is below home.homing.test.
const isBelow = (name: string) =>
  `(reverse(${name}) ~>=~ (reverse(?) || '.') and reverse(${name}) ~<~ (reverse(?) || '/'))`

const HOLDERS = `
  select user_id from domains d where d.fqdn = ? or ${isBelow('d.fqdn')}
  union
  select owner_id from zones z where z.owner_id is not null and (z.name = ? or ${isBelow('z.name')})`

// DNS does not serve an own zone at or below a locked name.
const OWN_ZONES = `
  select distinct owner_id from zones z where z.owner_id is not null and (z.name = ? or ${isBelow('z.name')})`

// The name itself and its wildcard come first, then each base with its wildcard.
const DIFFERING = `
  select d.id from domains d
  where (d.fqdn = ? or ${isBelow('d.fqdn')})
    and d.locked <> exists (select from locked_names l where l.fqdn = any (names_at_or_above(d.fqdn)))
  order by d.fqdn not in (?, '*.' || ?), coalesce(d.base_id, d.id), d.id
  limit ${OWNERS_PER_SET_LIMIT + 1}`

// A name that is also withheld for another reason is not restored when its lock is removed.
const FLIP = `
  with changed as (
    update domains set locked = not locked, version = version + 1
    where id = any (?::bigint[])
    returning id, user_id, fqdn, locked, is_active
  )
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client)
  select id, user_id, fqdn, case when locked then 'withheld' else 'restored' end, ?, ?, ?, ?
  from changed where locked or is_active`

/**
 * Locks the accounts that own domains at or below a name, so that they cannot add one meanwhile. This
 * is the first step of every change of a lock.
 */
export async function holdNames(trx: Knex.Transaction, fqdn: string): Promise<void> {
  const holders = await query<{ user_id: string }>(trx, HOLDERS, [
    fqdn,
    fqdn,
    fqdn,
    fqdn,
    fqdn,
    fqdn,
  ])
  await lockAccounts(
    trx,
    holders.map(({ user_id }) => user_id),
  )
}

/** Records the lock of a name. An existing lock is not changed. */
export async function addNameLock(
  trx: Knex.Transaction,
  { fqdn, user_id }: { readonly fqdn: string; readonly user_id: string },
  actor: Actor,
): Promise<void> {
  const locked_by = actor.kind === 'administrator' ? actor.id : null
  await LockedName.query(trx).insert({ fqdn, locked_by, user_id }).onConflict('fqdn').ignore()
}

/** Deletes the lock of a name. Locks above it still apply. */
export async function removeNameLock(trx: Knex.Transaction, fqdn: string): Promise<void> {
  await LockedName.query(trx).delete().where({ fqdn })
}

/**
 * Changes the domains at and below a name to match the locks, at most 500 of them, and publishes them.
 * The caller holds the names (`holdNames`).
 *
 * @returns whether all of them now match the locks; if not, the job `name-lock` does the rest
 */
export async function applyNameLock(
  trx: Knex.Transaction,
  fqdn: string,
  actor: Actor = SYSTEM,
): Promise<{ readonly isWhole: boolean }> {
  const owners = await query<{ owner_id: string }>(trx, OWN_ZONES, [fqdn, fqdn, fqdn])
  if (owners.length > 0) {
    await settleOwnZonePlans(
      trx,
      owners.map(({ owner_id }) => owner_id),
    )
  }
  const found = await query<{ id: string }>(trx, DIFFERING, [fqdn, fqdn, fqdn, fqdn, fqdn])
  const ids = found.slice(0, OWNERS_PER_SET_LIMIT).map(({ id }) => id)
  if (ids.length > 0) {
    await lockDomains(trx, ids)
    await query(trx, FLIP, [ids, actor.kind, actor.id, actor.sourceIp, actor.client])
    await publishDomains(trx, ids)
  }
  return { isWhole: ids.length === found.length }
}

/**
 * Applies a lock that was added or removed. The job `name-lock` does the rest of many domains; the job `account-plan` what the
 * plan of an owner withholds or releases, because the domains of an own zone count only while it is served.
 */
export async function followNameLock(
  trx: Knex.Transaction,
  jobs: Pick<JobQueue, 'enqueue'>,
  fqdn: string,
  actor: Actor,
): Promise<void> {
  const owners = await query<{ owner_id: string }>(trx, OWN_ZONES, [fqdn, fqdn, fqdn])
  const { isWhole } = await applyNameLock(trx, fqdn, actor)
  if (!isWhole) await jobs.enqueue(trx, 'name-lock', { fqdn })
  for (const { owner_id: userId } of owners) await jobs.enqueue(trx, 'account-plan', { userId })
}

/** The nearest locked name at or above a name; undefined when no lock applies. */
export async function lockOver(db: Knex, fqdn: string): Promise<string | undefined> {
  const [lock] = await query<{ fqdn: string }>(
    db,
    'select fqdn from locked_names where fqdn = any (names_at_or_above(?)) order by length(fqdn) desc limit 1',
    [fqdn],
  )
  return lock?.fqdn
}

/** Whether a wildcard of this name would answer for a locked name that has no domain. */
export async function wouldRevive(db: Knex, fqdn: string): Promise<boolean> {
  const locks = await query(
    db,
    `select from locked_names l where ${isBelow('l.fqdn')}
       and not exists (select from domains d where d.fqdn = l.fqdn) limit 1`,
    [fqdn, fqdn],
  )
  return locks.length > 0
}
