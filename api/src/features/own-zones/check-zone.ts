/**
 * Checks the delegation of an own zone and looks for proofs of ownership.
 *
 * The walk through DNS holds no lock. Afterwards, one transaction holds the account, the present owner and the zone's name,
 * reads the claim again and decides by what is true then. So of two accounts that prove a domain at once, the later one
 * wins as if it had proved it later, and a claim that was deleted meanwhile proves nothing.
 */
import type { Knex } from 'knex'
import { countCheck } from '../../delegation/check-counts.ts'
import { DelegationChecksBusy, type DelegationFindings } from '../../delegation/types.ts'
import {
  giveZone,
  holdOwnZone,
  publishChange,
  withZoneOwner,
  type ZoneChange,
} from '../../feed/own-zone-owner.ts'
import { settleOwnZonePlans } from '../../feed/own-zone-plan.ts'
import { serversOf } from '../../feed/own-zone-servers.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { query } from '../../database/sql.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { type Evidence, proofIn, verifyHostOf } from '../../rules/ownership.ts'
import { nextCheckAt, type Standing, standingAfter } from '../../rules/zone-checks.ts'
import type { JobServices, Services } from '../../compose.ts'
import { canHaveZones } from './account-zones.ts'
import { claimantOf, findZone, type ShownZone, shownZones } from './shown-zones.ts'

/** Who wants the check: a new claim, its owner, or the service by itself. */
export type CheckReason = 'first' | 'asked' | 'automatic'

export type CheckServices = Pick<
  JobServices,
  'knex' | 'config' | 'jobs' | 'now' | 'delegation' | 'log'
>

/** Seconds until a walk probably finds a place. */
const RETRY_AFTER_SECONDS = 10

async function findClaim(db: Knex, id: string): Promise<ShownZone | undefined> {
  const [claim] = await shownZones(db)
    .modify('live')
    .where('zone_claims.id', id)
    .toKnexQuery<ShownZone>()
  return claim
}

async function walk(
  { delegation, config }: CheckServices,
  claim: ShownZone,
  signal: AbortSignal | undefined,
): Promise<DelegationFindings> {
  const claimant = claimantOf(claim, config)
  try {
    const found = await delegation.check({
      domain: claim.name,
      nameservers: serversOf(claim, config.nameservers),
      ownershipNames: [verifyHostOf(claimant)],
      ...(signal === undefined ? {} : { signal }),
    })
    countCheck(delegation, found.check.is_right ? 'right' : 'wrong')
    return found
  } catch (error) {
    countCheck(delegation, error instanceof DelegationChecksBusy ? 'busy' : 'failed')
    throw error
  }
}

const evidenceOf = ({ check, txt, parentNs }: DelegationFindings): Evidence => ({
  isDelegationRight: check.is_right,
  txt,
  parentNs,
})

/** Gives the zone to a claim that the findings prove. @returns what changed; undefined when nothing was proved */
async function prove(
  { config, jobs, now }: CheckServices,
  trx: Knex.Transaction,
  claim: ShownZone,
  found: DelegationFindings,
): Promise<ZoneChange | undefined> {
  if (claim.state !== 'pending') return undefined
  const proof = proofIn(claimantOf(claim, config), evidenceOf(found))
  if (proof === undefined) return undefined
  const settings = { nameservers: config.nameservers, at: now() }
  const change = await giveZone(trx, claim, proof, settings)
  // An administrator can have locked the domain since the claim.
  await settleOwnZonePlans(trx, [claim.user_id], settings.at)
  // Domains that came back can be more than the plan includes, and those that went leave places.
  await jobs.enqueue(trx, 'account-plan', { userId: claim.user_id })
  if (change.lost !== undefined) {
    const { user_id: userId, is_vanity: isVanity } = change.lost
    const notice = { event: 'lost', zone: claim.name, isVanity } as const
    await jobs.enqueue(trx, 'account-plan', { userId })
    await jobs.enqueue(trx, 'mail', { kind: 'own-zone', userId, ...notice })
  }
  return change
}

async function notify(
  { jobs }: CheckServices,
  trx: Knex.Transaction,
  claim: ShownZone,
  { mail }: Standing,
  { check }: DelegationFindings,
): Promise<void> {
  if (mail === undefined) return
  const about = { zone: claim.name, isVanity: claim.is_vanity }
  const findings = check.facts
    .filter(({ state }) => state !== 'right')
    .map(({ message }) => message)
  const notice =
    mail === 'verified'
      ? ({ event: 'verified', ...about, incomplete: findings } as const)
      : ({ event: 'broken', ...about, findings } as const)
  await jobs.enqueue(trx, 'mail', { kind: 'own-zone', userId: claim.user_id, ...notice })
}

/** Servers of others choose parts of it: PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
const storable = (check: DelegationFindings['check']): string =>
  JSON.stringify(check, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
  )

const STORE = `
  update zone_claims
  set was_delegated = ?, last_check = ?::jsonb, checked_at = ?, next_check_at = ?, failed_checks = ?, verified_at = ?,
      notified = ?, version = version + 1
  where id = ?`

/** Stores what a check found, and what follows from it. @returns whether the claim still exists */
async function store(
  services: CheckServices,
  trx: Knex.Transaction,
  { id, user_id, name }: ShownZone,
  { found, reason }: { readonly found: DelegationFindings; readonly reason: CheckReason },
): Promise<boolean> {
  const account = await holdOwnZone(trx, user_id, name)
  const held = await findClaim(trx, id)
  if (held === undefined) return false
  const wasDelegated = held.was_delegated ?? found.isDelegatedToUs ?? null
  const claim = { ...held, was_delegated: wasDelegated }
  const isAllowed = await canHaveZones(trx, account)
  const change = isAllowed ? await prove(services, trx, claim, found) : undefined
  const isActive = change !== undefined || claim.state === 'active'
  const at = services.now()
  const before = {
    verifiedAt: claim.verified_at,
    failedChecks: claim.failed_checks,
    notified: claim.notified,
  }
  // Only the daily checks find out that a delegation broke: an owner can ask many times in a minute.
  const isCounted = reason === 'automatic' || claim.verified_at === null || found.check.is_right
  const after = isCounted
    ? standingAfter(before, { isRight: found.check.is_right, isActive }, at)
    : { ...before, mail: undefined }
  const next = nextCheckAt(
    {
      claimedAt: claim.claimed_at,
      verifiedAt: after.verifiedAt,
      failedChecks: after.failedChecks,
      isBroken: after.notified === 'broken',
    },
    at,
  )
  await query(trx, STORE, [
    wasDelegated,
    storable(found.check),
    at,
    next,
    after.failedChecks,
    after.verifiedAt,
    after.notified,
    id,
  ])
  await notify(services, trx, claim, after, found)
  if (change !== undefined) await publishChange(trx, change)
  return true
}

/**
 * Checks a claim. A first check that cannot run leaves the decision to the next one.
 *
 * @returns whether the claim still exists
 * @throws Refusal `unavailable` when too many walks wait, except for a first check
 */
export async function checkZone(
  services: CheckServices,
  id: string,
  reason: CheckReason,
  signal?: AbortSignal,
): Promise<boolean> {
  const { knex } = services
  const claim = await findClaim(knex, id)
  if (claim === undefined) return false
  let found: DelegationFindings
  try {
    found = await walk(services, claim, signal)
  } catch (error) {
    if (reason === 'first') {
      // The claim exists, and the service checks it soon by itself.
      services.log.warn({ err: error, zone: claim.name }, 'the first check of a claim failed')
      return true
    }
    if (!(error instanceof DelegationChecksBusy)) throw error
    throw new Refusal('unavailable', error.message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  return withZoneOwner(knex, (trx) => store(services, trx, claim, { found, reason }))
}

/**
 * Checks a zone of the account now, at the owner's wish.
 *
 * @throws Refusal `not-found`, `conflict` for a lost or expired zone, `rate-limited`, `unavailable`
 */
export async function verifyZone(
  services: Services,
  userId: string,
  id: string,
): Promise<ShownZone> {
  const { knex } = services
  const reach = { userId, scope: undefined }
  const { state, name } = await findZone(knex, reach, id)
  if (state === 'lost' || state === 'expired') {
    throw new Refusal('conflict', `The zone ${name} has ended. Claim the domain again.`)
  }
  await requireAllowance(services, 'zone-checks-account', userId)
  if (!(await checkZone(services, id, 'asked'))) throw notFound('own zone')
  return findZone(knex, reach, id)
}
