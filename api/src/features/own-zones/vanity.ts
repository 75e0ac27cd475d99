/** Vanity name servers: `ns1` and `ns2` in a domain of the account, which its other own zones can use. */
import type { VanityStatus, VanityVerification } from '@homing/openapi'
import type { Knex } from 'knex'
import { holdOwnZone, withZoneOwner } from '../../feed/own-zone-owner.ts'
import { vanityHosts, vanityServers } from '../../feed/own-zone-servers.ts'
import { findOwnZone, settleOwnZone } from '../../feed/own-zones.ts'
import { publish } from '../../feed/publish.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { ZoneClaim } from '../../models/zone-claim.ts'
import { query } from '../../database/sql.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { type Abilities, planAllows } from '../../rules/plans.ts'
import type { Services } from '../../compose.ts'
import { PLAN_MESSAGE, requireZonesNow } from './account-zones.ts'
import { checkZone, verifyZone } from './check-zone.ts'
import { claimableName, insertClaim } from './claim-zone.ts'
import { requireUnusedServers } from './delete-zone.ts'
import { serverBody, type ShownZone, vanityZone, zoneBody } from './shown-zones.ts'

const isVerified = ({ state, verified_at }: ShownZone): boolean =>
  state === 'active' && verified_at !== null

async function countUsers(knex: Knex, userId: string): Promise<number> {
  return ZoneClaim.query(knex)
    .modify('ownedBy', userId)
    .modify('live')
    .where('uses_vanity', true)
    .resultSize()
}

/** The state of the account's vanity name servers. */
export async function vanityStatus(
  { knex, config }: Services,
  account: Abilities & { readonly id: string },
): Promise<VanityStatus> {
  const zone = await vanityZone(knex, account.id)
  const available = planAllows(account, 'vanity_ns')
  const common = { available, message: available ? null : PLAN_MESSAGE }
  if (zone === undefined) {
    return {
      ...common,
      configured: false,
      verified: false,
      verification_pending: false,
      nameservers: null,
      zones_count: 0,
      zone: null,
    }
  }
  const [ns1, ns2] = vanityServers(zone.name, config.nameservers).map(serverBody)
  return {
    ...common,
    configured: true,
    verified: isVerified(zone),
    verification_pending: !isVerified(zone),
    nameservers: ns1 === undefined || ns2 === undefined ? null : { ns1, ns2 },
    zones_count: await countUsers(knex, account.id),
    zone: zoneBody(zone, config),
  }
}

/** Refuses a zone in which something of its owner stands where the name servers belong. @throws Refusal `conflict` */
async function requireFreeHosts(trx: Knex.Transaction, name: string): Promise<void> {
  const zone = await findOwnZone(trx, name)
  if (zone === undefined) return
  const hosts = vanityHosts(name)
  const [taken] = await query<{ name: string }>(
    trx,
    `select owner as name from records
     where zone_id = ? and owner = any (?::text[]) and origin = 'user' and type in ('A', 'AAAA', 'CNAME', 'NS')
     union all select fqdn from domains where fqdn = any (?::text[]) limit 1`,
    [zone.id, hosts, hosts],
  )
  if (taken === undefined) return
  throw new Refusal(
    'conflict',
    `You have a record at ${taken.name}, where the name server belongs. Delete it first.`,
  )
}

/** A zone that the account has already gets the name servers, and must be verified with them. */
async function moveInto(
  { config, now }: Services,
  trx: Knex.Transaction,
  { id, name }: Pick<ZoneClaim, 'id' | 'name'>,
): Promise<string> {
  await requireFreeHosts(trx, name)
  await query(
    trx,
    `update zone_claims set is_vanity = true, uses_vanity = false, verified_at = null, notified = null,
            failed_checks = 0, next_check_at = ?, version = version + 1 where id = ?`,
    [now(), id],
  )
  await publish(trx, await settleOwnZone(trx, name, config.nameservers))
  return id
}

/**
 * Sets up vanity name servers in a domain.
 *
 * @throws Refusal `plan-required`, `name-not-allowed`, `conflict`, `zone-limit`, `account-disabled`, `rate-limited`
 */
export async function setUpVanity(
  services: Services,
  userId: string,
  domain: string,
): Promise<void> {
  const { knex } = services
  const name = await claimableName(services, domain)
  await requireAllowance(services, 'zone-claims-account', userId)
  const changed = await withZoneOwner(knex, async (trx) => {
    await requireZonesNow(trx, await holdOwnZone(trx, userId, name))
    const claims = await ZoneClaim.query(trx)
      .select('id', 'name', 'is_vanity')
      .modify('ownedBy', userId)
      .modify('live')
    const present = claims.find((claim) => claim.is_vanity)
    if (present?.name === name) return undefined
    if (present !== undefined) {
      throw new Refusal(
        'conflict',
        `Your vanity name servers are set up in ${present.name}. Remove them first.`,
      )
    }
    const held = claims.find((claim) => claim.name === name)
    if (held !== undefined) return moveInto(services, trx, held)
    return insertClaim(services, trx, { userId, name }, { isVanity: true, usesVanity: false })
  })
  if (changed !== undefined) await checkZone(services, changed, 'first')
}

const WORDS = {
  verified: 'Verification successful! Your vanity nameservers are now active.',
  pending: 'Verification failed. Please check your glue records.',
  unproved:
    'Verification failed. The name servers are correct, but you have not proved that you own the domain.',
} as const

/**
 * Checks the zone of the account's vanity name servers now.
 *
 * @throws Refusal `not-found`, `rate-limited`, `unavailable`
 */
export async function verifyVanity(
  services: Services,
  userId: string,
): Promise<VanityVerification> {
  const zone = await vanityZone(services.knex, userId)
  if (zone === undefined) throw new Refusal('not-found', 'Vanity name servers are not set up.')
  const checked = await verifyZone(services, userId, zone.id)
  const isRight = checked.last_check?.is_right === true
  const status = isVerified(checked) && isRight ? 'verified' : 'pending'
  const message = WORDS[checked.state === 'pending' && isRight ? 'unproved' : status]
  return { status, message, zone: zoneBody(checked, services.config) }
}

/**
 * Removes the vanity name servers. Their zone gets the name servers of the service.
 *
 * @throws Refusal `not-found`, `conflict` while other zones use them
 */
export async function removeVanity(services: Services, userId: string): Promise<void> {
  const { knex, config, now } = services
  const zone = await vanityZone(knex, userId)
  if (zone === undefined) throw new Refusal('not-found', 'Vanity name servers are not set up.')
  await withZoneOwner(knex, async (trx) => {
    await holdOwnZone(trx, userId, zone.name)
    await requireUnusedServers(trx, zone)
    const removed = await query(
      trx,
      `update zone_claims set is_vanity = false, verified_at = null, notified = null, failed_checks = 0,
              next_check_at = ?, version = version + 1
       where id = ? and is_vanity returning id`,
      [now(), zone.id],
    )
    if (removed.length === 0) throw notFound('own zone')
    await publish(trx, await settleOwnZone(trx, zone.name, config.nameservers))
  })
}
