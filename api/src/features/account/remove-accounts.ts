/**
 * Deletes accounts whose grace period has ended. First their own zones, then their domains with all related data, in
 * steps, each with a change set of its own; then the data of domains that were deleted earlier; then the traces of what the account did as
 * an administrator; then the account, whose subscription ends, with everything that belongs to it. Each step finds the remaining rows itself, so
 * the next run continues an interrupted one.
 */
import type { Knex } from 'knex'
import { lockAccount, lockDomains } from '../../feed/lock-order.ts'
import type { NameServer } from '../../feed/name-servers.ts'
import { endClaim, holdOwnZone, withZoneOwner } from '../../feed/own-zone-owner.ts'
import { ownersOfDomains, publish } from '../../feed/publish.ts'
import { JOB_SCHEMA } from '../../queue/job-queue.ts'
import { eraseTraces, forgetAdministrator } from '../../models/domain-traces.ts'
import { Domain } from '../../models/domain.ts'
import { FormerDomain } from '../../models/former-domain.ts'
import { User } from '../../models/user.ts'
import { leaveAccount } from '../../payments/account-renewal.ts'
import { LIVE_STATES, ZoneClaim, type ZoneClaimRow } from '../../models/zone-claim.ts'
import { query } from '../../database/sql.ts'
import { RESERVATION_DAYS } from '../../rules/name-reservations.ts'

/** Domains per step, each with its wildcard: few enough for one change set, with everything below them. */
const NAMES_PER_STEP = 100
/** Accounts per run. */
const ACCOUNTS_LIMIT = 100

// Not due: accounts that have become administrators.
const dueAccounts = (knex: Knex, now: Date) =>
  User.query(knex)
    .select('users.id')
    .where('users.deletion_due_at', '<=', now)
    .whereNot('users.account_type', 'admin')

/** What the removal of accounts needs. */
export interface RemovalServices {
  readonly knex: Knex
  /** The name servers of the service, which zones that others claim keep. */
  readonly nameservers: readonly NameServer[]
}

/**
 * Removes the accounts that are due. A failure does not stop the removal of the others.
 *
 * @returns the number of removed accounts
 * @throws AggregateError with the failures, after all others were removed
 */
export async function removeDueAccounts(services: RemovalServices, now: Date): Promise<number> {
  const due = await dueAccounts(services.knex, now)
    .orderBy(['users.deletion_due_at', 'users.id'])
    .limit(ACCOUNTS_LIMIT)
  let gone = 0
  const faults: unknown[] = []
  for (const { id } of due) {
    try {
      if (await removeAccount(services, id, now)) gone += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) {
    throw new AggregateError(faults, `${faults.length} accounts could not be removed`)
  }
  return gone
}

/** @returns whether the account was removed: its owner may have cancelled the deletion */
async function removeAccount(
  services: RemovalServices,
  userId: string,
  now: Date,
): Promise<boolean> {
  const { knex } = services
  for (;;) {
    if (await removeZone(services, userId, now)) continue
    const step = await knex.transaction((trx) => removeSome(trx, userId, now))
    if (step !== 'more') return step === 'gone'
  }
}

/**
 * Ends a claim of the account, with its zone and everything in it.
 *
 * @returns whether there was one
 */
async function removeZone(
  { knex, nameservers }: RemovalServices,
  userId: string,
  at: Date,
): Promise<boolean> {
  const first = await ZoneClaim.query(knex).select('name').modify('ownedBy', userId).first()
  if (first === undefined) return false
  return withZoneOwner(knex, async (trx) => {
    await holdOwnZone(trx, userId, first.name)
    if ((await dueAccounts(trx, at).findById(userId)) === undefined) return false
    const claims = await ZoneClaim.query(trx)
      .where({ user_id: userId, name: first.name })
      .toKnexQuery<ZoneClaimRow>()
    const live = claims.find(({ state }) => LIVE_STATES.some((name) => name === state))
    if (live !== undefined) {
      await publish(trx, (await endClaim(trx, live, { nameservers, at })).owners)
    }
    await ZoneClaim.query(trx).delete().where({ user_id: userId, name: first.name })
    return true
  })
}

/** One step. `kept`: the account is no longer due. */
async function removeSome(
  trx: Knex.Transaction,
  userId: string,
  now: Date,
): Promise<'gone' | 'kept' | 'more'> {
  await lockAccount(trx, userId)
  if ((await dueAccounts(trx, now).findById(userId)) === undefined) return 'kept'
  const bases = await Domain.query(trx)
    .modify('ownedBy', userId)
    .modify('bases')
    .select('id')
    .orderBy('id')
    .limit(NAMES_PER_STEP)
    .toKnexQuery<Pick<Domain, 'id'>>()
  if (bases.length > 0) {
    const baseIds = bases.map(({ id }) => id)
    const ids = await idsWithWildcards(trx, baseIds)
    await lockDomains(trx, ids)
    if (await eraseTraces(trx, ids)) await removeNames(trx, baseIds, ids)
    return 'more'
  }
  const former = await FormerDomain.query(trx)
    .modify('ownedBy', userId)
    .select('domain_id')
    .toKnexQuery<Pick<FormerDomain, 'domain_id'>>()
  const formerIds = former.map(({ domain_id }) => domain_id)
  if (!(await eraseTraces(trx, formerIds))) return 'more'
  if (!(await forgetAdministrator(trx, userId))) return 'more'
  await query(trx, ERASE_JOBS, [userId])
  await leaveAccount(trx, userId, now)
  await User.query(trx).deleteById(userId)
  return 'gone'
}

// Finished jobs are kept for a day, with the account that they were for.
const ERASE_JOBS = `
  delete from ${JOB_SCHEMA}.job j using users u
  where u.id = ? and (j.data ->> 'userId' = u.id::text or lower(j.data ->> 'email') = lower(u.email))`

async function idsWithWildcards(
  trx: Knex.Transaction,
  baseIds: readonly string[],
): Promise<string[]> {
  const rows = await Domain.query(trx)
    .select('id')
    .whereIn('id', baseIds)
    .orWhereIn('base_id', baseIds)
    .toKnexQuery<Pick<Domain, 'id'>>()
  return rows.map(({ id }) => id)
}

const RESERVE = `
  insert into name_reservations (fqdn, user_id, reserved_until)
  select fqdn, null, now() + ? * interval '1 day' from domains d
  where id = any (?::bigint[]) and not exists (select from zones z where z.id = d.zone_id and z.is_own)
  on conflict (fqdn) do update set user_id = null, reserved_until = excluded.reserved_until`

/** Deletes domains whose traces are erased, and reserves their names for a while, for no account. The caller has locked them. */
async function removeNames(
  trx: Knex.Transaction,
  baseIds: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const owners = await ownersOfDomains(trx, ids)
  await query(trx, RESERVE, [RESERVATION_DAYS, baseIds])
  await Domain.query(trx).delete().whereIn('id', ids)
  await publish(trx, owners)
}
