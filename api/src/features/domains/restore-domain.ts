/** Restores a deleted domain. */
import type { Knex } from 'knex'
import { notFound, Refusal } from '../../rules/errors.ts'
import { heldTypes, type Reach, requireWithin, scopeHolds } from '../../rules/key-scope.ts'
import { RESERVATION_DAYS } from '../../rules/name-reservations.ts'
import { requireFreePlace } from '../../rules/plans.ts'
import { planDifference, settleDifference } from '../../feed/account-plan.ts'
import type { Actor } from '../../feed/address-change.ts'
import { recordEvents } from '../../feed/domain-events.ts'
import { wouldRevive } from '../../feed/name-locks.ts'
import { lockDomains, lockPlace } from '../../feed/lock-order.ts'
import { adoptRecords } from '../../feed/adopt-records.ts'
import { circleFrom } from '../../feed/forward-circle.ts'
import { restoreForward } from '../../feed/kept-forward.ts'
import { restoreRecords } from '../../feed/kept-records.ts'
import { ownersOfDomains, publish } from '../../feed/publish.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../caller/principal.ts'
import { DeletedDomain, type KeptForward } from '../../models/deleted-domain.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import type { Row } from '../../models/table.ts'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'
import { planInForce } from './create-domain.ts'
import { bringBack } from './deleted-rows.ts'
import { findDomain } from './find-domain.ts'
import { releaseNames, requireFreeName } from './name-claims.ts'
import { placeName } from './place-names.ts'

const DAY_MS = 86_400_000

/** Domains that were deleted at this time or before can no longer be restored. */
export const restorableSince = (now: Date): Date =>
  new Date(now.getTime() - RESERVATION_DAYS * DAY_MS)

export type DeletedRow = Row<typeof DeletedDomain> & { readonly zone: string }

/** Refusals of a registration that say that the domain, as it was, is no longer allowed. */
const FORBIDDING = new Set([
  'domain-limit',
  'domain-locked',
  'name-not-allowed',
  'validation-failed',
])

/** Runs a rule of registrations. @throws Refusal `restore-refused` with the reason, or the rule's own refusal */
async function obeying<T>(fqdn: string, rule: () => Promise<T> | T): Promise<T> {
  try {
    return await rule()
  } catch (error) {
    if (!(error instanceof Refusal) || !FORBIDDING.has(error.code)) throw error
    const refusal = new Refusal('restore-refused', `${fqdn} cannot be restored: ${error.message}`)
    refusal.cause = error
    throw refusal
  }
}

/** @throws Refusal `not-found`, also for a domain outside the scope of the caller */
async function findDeleted(
  db: Knex,
  { userId, scope }: Reach,
  id: string,
  now: Date,
): Promise<DeletedRow> {
  const [row] = await DeletedDomain.query(db)
    .joinRelated('zone')
    .select('deleted_domains.*', 'zone.name as zone')
    .modify('ownedBy', userId)
    .where('deleted_domains.id', id)
    .whereNull('deleted_domains.base_id')
    .where('deleted_domains.deleted_at', '>', restorableSince(now))
    .toKnexQuery<DeletedRow>()
  if (row === undefined || (scope && !scopeHolds(scope, row.fqdn))) throw notFound('deleted domain')
  return row
}

/** The types of all records that come back: addresses, those of a web forward, and the others. */
function keptTypes(deleted: DeletedRow): string[] {
  const others = (deleted.records ?? []).map(({ type }) => type)
  const forwards = deleted.forward === null ? [] : ['A', 'AAAA']
  return [...new Set([...heldTypes(deleted), ...forwards, ...others])]
}

/**
 * Refuses a domain whose wildcard would now answer for a locked name, or replace a record of the zone.
 *
 * @throws Refusal `restore-refused`
 */
async function requireFreeWildcard(trx: Knex.Transaction, { id, zone_id, fqdn }: DeletedRow) {
  const [wildcard] = await DeletedDomain.query(trx).select('fqdn').where('base_id', id)
  if (wildcard === undefined) return
  const [record] = await query(
    trx,
    `select from records where zone_id = ? and owner = ? and (user_id is null or type = 'CNAME')`,
    [zone_id, wildcard.fqdn],
  )
  if (record === undefined && !(await wouldRevive(trx, fqdn))) return
  const message = `${fqdn} cannot be restored: its wildcard ${wildcard.fqdn} is no longer allowed. Please contact support.`
  throw new Refusal('restore-refused', message)
}

/**
 * Restores a domain of the account with its wildcard, update token, records, web forward and monitor. The rules of a registration apply:
 * a name can have been reserved, registered or locked since the deletion, and the plan can have become smaller.
 *
 * @throws Refusal `not-found`, `name-taken`, `name-reserved`, `restore-refused`, `account-disabled`, `key-scope`,
 * `rate-limited`
 */
export async function restoreDomain(
  services: Services,
  principal: Principal,
  id: string,
  actor: Actor,
): Promise<OwnedDomain> {
  const { knex, now } = services
  const reach = reachOf(principal)
  const { userId } = reach
  const { fqdn, zone } = await findDeleted(knex, reach, id, now())
  const isAdministrator = actsAsAdministrator(principal)
  const request = { input: { fqdn, zone }, userId, isAdministrator }
  const placed = await obeying(fqdn, () => placeName(services, request))
  await requireAllowance(services, 'new-names-account', userId)
  return knex.transaction(async (trx) => {
    const plan = await planInForce(trx, userId)
    await lockPlace(trx, placed.zoneId, placed.owner.labelBelowZone)
    // Of two calls that restore it, the second one finds no deleted domain here.
    const deleted = await findDeleted(trx, reach, id, now())
    requireWithin(reach, { recordTypes: keptTypes(deleted) })
    await obeying(fqdn, () => requireFreeName(trx, userId, placed))
    await requireFreeWildcard(trx, deleted)
    await obeying(fqdn, () => requireFreePlace(plan, plan.owned))
    await releaseNames(trx, [fqdn])
    const { ids, records, forward } = await bringBack(trx, id, plan.ttlSeconds)
    await adoptRecords(trx, ids)
    await recordEvents(trx, 'undeleted', ids, actor)
    const account = { id: userId, accountType: plan.accountType }
    const holders = await restoreRecords(trx, account, { domainId: id, records }, actor)
    await serve(trx, userId, [...new Set([...ids, ...holders])], { id, forward }, actor)
    return findDomain(trx, reach, { id })
  })
}

/** A restored domain is one of the oldest of the account; more differ only while a job applies a plan, which does the rest. */
const CHANGED_LIMIT = 10

/** A web forward that returns with the domain `id`. */
interface Returning {
  readonly id: string
  readonly forward: KeptForward | null
}

/** Applies the plan to the account's domains, lets the web forward return, and publishes the restored ones. */
async function serve(
  trx: Knex.Transaction,
  userId: string,
  ids: readonly string[],
  { id, forward }: Returning,
  actor: Actor,
): Promise<void> {
  const difference = await planDifference(trx, [userId], { basesLimit: CHANGED_LIMIT })
  const rows = await lockDomains(trx, [...ids, ...difference.rows.map((row) => row.id)])
  const settled = await settleDifference(trx, difference)
  const base = rows.find((row) => row.id === id)
  const forwarded =
    base === undefined || forward === null ? [] : await restoreForward(trx, base, forward, actor)
  await publish(trx, [...settled, ...(await ownersOfDomains(trx, ids)), ...forwarded])
  if (base !== undefined && forward !== null && forwarded.length > 0) {
    await requireStillNoCircle(trx, base.fqdn, new URL(forward.target_url))
  }
}

/**
 * A forward that another account has just written can lead back: only the publication waits for it. A second call leaves the
 * web forward out.
 *
 * @throws Refusal `restore-refused`
 */
async function requireStillNoCircle(trx: Knex.Transaction, fqdn: string, target: URL) {
  const circle = await circleFrom(trx, { target, fqdn })
  if (circle === undefined) return
  throw new Refusal('restore-refused', `${fqdn} cannot be restored now. Please try again.`)
}
