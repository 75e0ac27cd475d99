/*
 * Who owns an own zone: a proof gives it to an account, the end of a claim takes it away.
 *
 * A proof withdraws the zone from the account that proved the domain before. Its content is kept with its claim, because a
 * domain that changed hands by mistake can come back.
 */
import type { Knex } from 'knex'
import type { OwnershipProof } from '@homing/openapi/vocabulary'
import { query } from '../database/sql.ts'
import { ZoneClaim, type ZoneClaimRow } from '../models/zone-claim.ts'
import { Zone } from '../models/zone.ts'
import type { ZoneOwners } from './change-set.ts'
import type { Actor } from './address-change.ts'
import { circleFrom } from './forward-circle.ts'
import {
  contentOf,
  type DomainForward,
  lockDomainsOf,
  removeDomainsOf,
  restoreForwards,
  restoreKept,
} from './kept-content.ts'
import { holdPlans, lockAccounts, lockAllPlaces, lockOwnZones } from './lock-order.ts'
import type { NameServer } from './name-servers.ts'
import {
  deleteOwnZone,
  ensureOwnZone,
  findOwnZone,
  type OwnZoneRow,
  replaceOwnZone,
  settleOwnZone,
} from './own-zones.ts'
import { publish } from './publish.ts'
import { vanityHosts } from './own-zone-servers.ts'
import type { LockedAccount } from './rows.ts'

/** Another transaction has changed what this one depends on, while it waited for a lock. */
class Superseded extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Superseded'
  }
}

const DEPENDENTS = `
  select distinct c.name from zone_claims c
  where c.user_id = any (?::bigint[]) and c.uses_vanity and c.state in ('pending', 'active', 'withheld')`

/**
 * Locks everything that a change of the owner of a zone needs: the account, the account that owns the zone now, their
 * plans, the zone's name, and those of the zones that use these accounts' vanity name servers.
 *
 * @returns the calling account; undefined when it does not exist
 * @throws Superseded: the caller repeats its transaction
 */
export async function holdOwnZone(
  trx: Knex.Transaction,
  userId: string,
  name: string,
): Promise<LockedAccount | undefined> {
  const before = await findOwnZone(trx, name)
  const owner = before?.owner_id ?? userId
  const accounts = await lockAccounts(trx, [userId, owner])
  await holdPlans(
    trx,
    accounts.map(({ account_type }) => account_type),
  )
  const dependents = await query<{ name: string }>(trx, DEPENDENTS, [[userId, owner]])
  await lockOwnZones(trx, [name, ...dependents.map((zone) => zone.name)])
  const now = await findOwnZone(trx, name)
  if ((now?.owner_id ?? userId) !== owner) throw new Superseded(`${name} has another owner now`)
  return accounts.find(({ id }) => id === userId)
}

/** Repeats a transaction that another one has superseded. */
export async function withZoneOwner<T>(
  knex: Knex,
  change: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await knex.transaction(change)
    } catch (error) {
      if (!(error instanceof Superseded) || attempt === 3) throw error
    }
  }
}

/** A change of a zone, to be published. */
export interface ZoneChange {
  readonly owners: readonly ZoneOwners[]
  /** The claim that lost the zone. */
  readonly lost?: ZoneClaimRow
  /** The web forwards that came back with the zone. */
  readonly forwards?: readonly DomainForward[]
}

/**
 * Publishes a change of a zone.
 *
 * @throws Superseded: a forward that another account has just written leads back to one that came back. Only the publication
 * waits for it. The repeated transaction leaves that forward out.
 */
export async function publishChange(
  trx: Knex.Transaction,
  { owners, forwards = [] }: ZoneChange,
): Promise<void> {
  await publish(trx, owners)
  for (const { fqdn, forward } of forwards) {
    const circle = await circleFrom(trx, { target: new URL(forward.target_url), fqdn })
    if (circle !== undefined) throw new Superseded(circle)
  }
}

/** Zones whose name servers were the vanity name servers of an account get those of the service. */
async function releaseDependents(
  trx: Knex.Transaction,
  claim: Pick<ZoneClaimRow, 'user_id' | 'is_vanity'>,
  service: readonly NameServer[],
): Promise<ZoneOwners[]> {
  if (!claim.is_vanity) return []
  const dependents = await query<{ name: string }>(trx, DEPENDENTS, [[claim.user_id]])
  if (dependents.length === 0) return []
  await ZoneClaim.query(trx)
    .patch({ uses_vanity: false })
    .where({ user_id: claim.user_id, uses_vanity: true })
    .modify('live')
  const settled: ZoneOwners[] = []
  for (const { name } of dependents) settled.push(...(await settleOwnZone(trx, name, service)))
  return settled
}

/** What a zone without content publishes: nothing of the former owner, whose forwards end. */
const ofForwards = (zoneId: string, forwards: readonly string[]): ZoneOwners => ({
  zoneId,
  owners: [],
  forwards,
})

/** What a change of an owner needs to know. */
export interface ZoneSettings {
  /** The name servers of the service. */
  readonly nameservers: readonly NameServer[]
  readonly at: Date
  /** Who did it, for the history of domains. The system, when absent. */
  readonly actor?: Actor
}

/**
 * Lets the remaining claims be examined again: whether the domain is delegated to us already. The claimant who ended or
 * proved its claim may have set the delegation, which then proves nothing for the others.
 */
async function examineAgain(trx: Knex.Transaction, name: string, at: Date): Promise<void> {
  await query(
    trx,
    `update zone_claims set was_delegated = null, next_check_at = least(next_check_at, ?), version = version + 1
     where name = ? and state = 'pending'`,
    [at, name],
  )
}

/** Takes the zone from the claim that proved it, and keeps its content with that claim. */
async function withdraw(
  trx: Knex.Transaction,
  zone: OwnZoneRow,
  { nameservers, at }: ZoneSettings,
): Promise<Required<Pick<ZoneChange, 'owners'>> & { zone: OwnZoneRow; lost?: ZoneClaimRow }> {
  const [former] = await ZoneClaim.query(trx)
    .where('name', zone.name)
    .whereIn('state', ['active', 'withheld'])
    .toKnexQuery<ZoneClaimRow>()
  await lockAllPlaces(trx, zone.id)
  const domains = await lockDomainsOf(trx, zone)
  const kept = await contentOf(trx, zone)
  const gone = await removeDomainsOf(trx, domains)
  const fresh = await replaceOwnZone(trx, zone)
  if (former === undefined) return { zone: fresh, owners: [ofForwards(fresh.id, gone)] }
  await query(
    trx,
    `update zone_claims set state = 'lost', ended_at = ?, kept = ?::jsonb, next_check_at = null,
            verified_at = null, version = version + 1 where id = ?`,
    [at, JSON.stringify(kept), former.id],
  )
  const released = await releaseDependents(trx, former, nameservers)
  return { zone: fresh, lost: former, owners: [ofForwards(fresh.id, gone), ...released] }
}

/**
 * Gives the zone to a claim that was proved. The caller holds the zone (`holdOwnZone`), publishes the owners, and applies
 * the account's plan to restored domains (job `account-plan`).
 */
export async function giveZone(
  trx: Knex.Transaction,
  claim: Pick<ZoneClaimRow, 'id' | 'name' | 'user_id' | 'is_vanity'>,
  proof: OwnershipProof,
  settings: ZoneSettings,
): Promise<ZoneChange> {
  const held = await ensureOwnZone(trx, claim.name)
  // Also when nobody owned it: restored content is loaded as a whole.
  const { zone, owners, lost } = await withdraw(trx, held, settings)
  await query(
    trx,
    `update zone_claims set state = 'active', proof = ?, active_at = ?, expires_at = null, version = version + 1
     where id = ?`,
    [proof, settings.at, claim.id],
  )
  await examineAgain(trx, claim.name, settings.at)
  await Zone.query(trx).findById(zone.id).patch({ owner_id: claim.user_id })
  const hosts = claim.is_vanity ? vanityHosts(claim.name) : []
  const kept = await restoreKept(trx, { ...claim, hosts }, zone)
  const settled = await settleOwnZone(trx, claim.name, settings.nameservers)
  const { forwards, changes } = await restoreForwards(trx, kept)
  const published = [...owners, ...settled, { zoneId: zone.id, owners: [zone.name] }, ...changes]
  return { owners: published, forwards, ...(lost === undefined ? {} : { lost }) }
}

/** Ends the claims of a domain that nobody has proved, and its zone: the domain becomes a zone of the service. */
export async function endClaimsOf(trx: Knex.Transaction, zone: OwnZoneRow): Promise<void> {
  await ZoneClaim.query(trx)
    .patch({ state: 'expired', ended_at: new Date(), next_check_at: null })
    .where({ name: zone.name, state: 'pending' })
  await deleteOwnZone(trx, zone)
}

/**
 * Ends a claim: deletes it, or marks it as expired. A zone that it had proved loses its content, and belongs to nobody
 * afterwards. The caller holds the zone, has checked that its domains can be deleted, and publishes the owners.
 */
export async function endClaim(
  trx: Knex.Transaction,
  claim: ZoneClaimRow,
  { nameservers, at, actor }: ZoneSettings,
  end: 'deleted' | 'expired' = 'deleted',
): Promise<ZoneChange> {
  const zone = await findOwnZone(trx, claim.name)
  const isOwner = zone !== undefined && zone.owner_id === claim.user_id
  if (isOwner) await lockAllPlaces(trx, zone.id)
  const domains = isOwner ? await lockDomainsOf(trx, zone) : []
  const gone = await removeDomainsOf(trx, domains, actor)
  const fresh = isOwner ? await replaceOwnZone(trx, zone) : zone
  if (end === 'deleted') await ZoneClaim.query(trx).deleteById(claim.id)
  else {
    await query(
      trx,
      `update zone_claims set state = 'expired', ended_at = ?, next_check_at = null, version = version + 1 where id = ?`,
      [at, claim.id],
    )
  }
  await examineAgain(trx, claim.name, at)
  const released = await releaseDependents(trx, claim, nameservers)
  const settled = await settleOwnZone(trx, claim.name, nameservers)
  const forwards = fresh === undefined ? [] : [ofForwards(fresh.id, gone)]
  return { owners: [...forwards, ...released, ...settled] }
}
