/** Registers a domain. */
import type { NewDomain } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { accountDisabled } from '../../credentials/account-row.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import { recordTypesOf, requireWithin } from '../../rules/key-scope.ts'
import {
  namesAtOrAbove,
  type OwnerName,
  parseName,
  parseOwnerName,
  zoneHolding,
} from '../../rules/names.ts'
import { isBlocked, requireFreePlace } from '../../rules/plans.ts'
import type { Actor } from '../../feed/address-change.ts'
import { recordEvents } from '../../feed/domain-events.ts'
import { holdPlans, lockAccount, lockPlace } from '../../feed/lock-order.ts'
import { publishDomains } from '../../feed/publish.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { Domain, type OwnedDomain } from '../../models/domain.ts'
import { Plan } from '../../models/plan.ts'
import { type OfferedZone, offeredZones, Zone } from '../../models/zone.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { type AddressInput, readAddresses, typeOf } from './address-input.ts'
import { findDomain } from './find-domain.ts'
import { releaseName, requireFreeName } from './name-claims.ts'

interface PlacedName {
  readonly owner: OwnerName
  readonly zoneId: string
}

/** The zone that the caller named, or the one that the name ends in. */
function zoneNamed(input: NewDomain, offered: readonly OfferedZone[]): string {
  const choices = offered.map(({ name }) => name)
  const expected = `Expected one of: ${choices.join(', ')}.`
  if (input.zone === undefined) {
    const found = zoneHolding(parseName(input.fqdn.trim(), 'fqdn'), new Set(choices))
    if (found !== undefined) return found
    throw invalid({
      field: 'zone',
      message: `zone is missing, and fqdn does not end in an available zone. ${expected}`,
    })
  }
  const zone = parseName(input.zone.trim(), 'zone')
  if (choices.includes(zone)) return zone
  throw invalid({ field: 'zone', message: `${zone} is not an available zone. ${expected}` })
}

interface NameRequest {
  readonly input: NewDomain
  readonly isAdministrator: boolean
}

/**
 * The requested owner name, in the zone that would answer for it.
 *
 * @throws Refusal `name-not-allowed`, `validation-failed`
 */
export async function placeName(
  { knex, nameGuard }: Services,
  { input, isAdministrator }: NameRequest,
): Promise<PlacedName> {
  const offered = await offeredZones(knex)
  const zone = zoneNamed(input, offered)
  const owner = parseOwnerName(input.fqdn, zone)
  // A zone inside another zone answers for its names itself, even if it is not offered.
  const holding = await Zone.query(knex)
    .select('name')
    .whereIn('name', namesAtOrAbove(owner.fqdn))
    .orderByRaw('length(name) desc')
    .first()
  if (holding?.name !== zone) {
    const message = `${owner.fqdn} belongs to the zone ${holding?.name}, not to ${zone}.`
    throw new Refusal('name-not-allowed', message, { faults: [{ field: 'fqdn', message }] })
  }
  const zones = offered.map(({ name }) => name)
  nameGuard.requireOpen({ owner, zones, isAdministrator, field: 'fqdn' })
  return { owner, zoneId: offered.find(({ name }) => name === zone)?.id ?? '' }
}

interface PlanInForce {
  readonly domainLimit: number
  readonly ttlSeconds: number
  /** The number of domains of the account, without wildcards. */
  readonly owned: number
}

/** The plan, locked until the domain is created, and the number of domains that count against it. */
export async function planInForce(trx: Knex.Transaction, userId: string): Promise<PlanInForce> {
  const account = await lockAccount(trx, userId)
  if (account === undefined || isBlocked(account)) throw accountDisabled()
  await holdPlans(trx, [account.account_type])
  const plan = await Plan.query(trx).findById(account.account_type)
  if (plan === undefined) throw new Error(`there is no plan ${account.account_type}`)
  const owned = await Domain.query(trx).modify('ownedBy', userId).modify('bases').resultSize()
  return { domainLimit: plan.domain_limit, ttlSeconds: plan.ttl_seconds, owned }
}

interface NewRow {
  readonly userId: string
  readonly placed: PlacedName
  readonly rrtype: 'A' | 'AAAA'
  readonly addresses: AddressInput
  readonly ttl: number
  readonly createdCc: string | null
}

async function insertDomain(trx: Knex.Transaction, row: NewRow): Promise<string> {
  const { placed, addresses } = row
  const ipv4 = addresses.ipv4 ?? null
  const ipv6 = addresses.ipv6 ?? null
  const made = await Domain.query(trx).insert({
    user_id: row.userId,
    zone_id: placed.zoneId,
    fqdn: placed.owner.fqdn,
    rrtype: row.rrtype,
    record_ipv4: ipv4,
    record_ipv6: ipv6,
    ttl: row.ttl,
    created_cc: row.createdCc,
    last_update_at: ipv4 === null && ipv6 === null ? null : raw('now()'),
  })
  return made.id
}

/**
 * Registers a domain for the account and publishes it.
 *
 * The account stays locked until commit, so that concurrent requests cannot exceed the plan's limit. The name's
 * position is locked too, so that no other caller registers the name, or one above or below it, meanwhile.
 *
 * @throws Refusal `name-not-allowed`, `address-not-allowed`, `validation-failed`, `name-taken`, `domain-locked`,
 * `name-reserved`, `domain-limit`, `account-disabled`, `key-scope`, `rate-limited`
 */
export async function createDomain(
  services: Services,
  principal: Principal,
  input: NewDomain,
  actor: Actor,
): Promise<OwnedDomain> {
  const { knex, config, countryOf } = services
  const reach = reachOf(principal)
  // A form with an empty address field sends an empty text.
  const fields = input.record_ip === '' ? { ...input, record_ip: null } : input
  const rrtype = input.rrtype ?? typeOf(fields, config.addressPolicy)
  const addresses = readAddresses(fields, rrtype, config.addressPolicy)
  const isAdministrator = actsAsAdministrator(principal)
  const placed = await placeName(services, { input, isAdministrator })
  const { userId } = reach
  const recordTypes = [...new Set([rrtype, ...recordTypesOf(addresses)])]
  requireWithin(reach, { fqdn: placed.owner.fqdn, recordTypes })
  await requireAllowance(services, 'new-names-account', userId)
  const createdCc = actor.sourceIp === null ? null : await countryOf(actor.sourceIp)
  return knex.transaction(async (trx) => {
    const plan = await planInForce(trx, userId)
    await lockPlace(trx, placed.zoneId, placed.owner.labelBelowZone)
    await requireFreeName(trx, placed.zoneId, placed.owner, userId)
    requireFreePlace(plan, plan.owned)
    await releaseName(trx, placed.owner.fqdn)
    const ttl = plan.ttlSeconds
    const id = await insertDomain(trx, { userId, placed, rrtype, addresses, ttl, createdCc })
    await recordEvents(trx, 'created', [id], actor)
    await publishDomains(trx, [id])
    return findDomain(trx, reach, { id })
  })
}
