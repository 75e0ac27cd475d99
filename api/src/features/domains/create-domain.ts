/** Registers a domain. */
import type { NewDomain } from '@homing/openapi'
import type { RecordType } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { accountDisabled } from '../../credentials/account-row.ts'
import type { AddressPolicy } from '../../rules/addresses.ts'
import { recordTypesOf, requireWithin } from '../../rules/key-scope.ts'
import { parseNote, parseTags } from '../../rules/owner-texts.ts'
import { isBlocked, requireFreePlace } from '../../rules/plans.ts'
import { type Actor, clientForOwner } from '../../feed/address-change.ts'
import { adoptRecords } from '../../feed/adopt-records.ts'
import { recordEvents } from '../../feed/domain-events.ts'
import { holdPlans, lockAccount, lockPlace } from '../../feed/lock-order.ts'
import { publishDomains } from '../../feed/publish.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { Domain, type OwnedDomain } from '../../models/domain.ts'
import { Plan } from '../../models/plan.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { type AddressInput, readAddresses, typeOf } from './address-input.ts'
import { findDomain } from './find-domain.ts'
import { type PlacedName, releaseNames, requireFreeName } from './name-claims.ts'
import { placeName } from './place-names.ts'

export interface PlanInForce {
  readonly accountType: string
  readonly domainLimit: number
  readonly ttlSeconds: number
  readonly abilities: ReadonlySet<string>
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
  const { domain_limit: domainLimit, ttl_seconds: ttlSeconds } = plan
  const { account_type: accountType } = account
  return { accountType, domainLimit, ttlSeconds, abilities: new Set(plan.abilities), owned }
}

/** What a request for a new domain says, without its name. */
export interface NewDomainFields {
  readonly rrtype: 'A' | 'AAAA'
  readonly addresses: AddressInput
  /** The types of its records, and its own type. */
  readonly recordTypes: RecordType[]
  readonly note: string | null
  readonly tags: string[]
}

/** @throws Refusal `validation-failed`, `address-not-allowed` */
export function readNewDomain(
  input: Omit<NewDomain, 'fqdn'>,
  policy: AddressPolicy,
): NewDomainFields {
  // A form with an empty address field sends an empty text.
  const fields = input.record_ip === '' ? { ...input, record_ip: null } : input
  const rrtype = input.rrtype ?? typeOf(fields, policy)
  const addresses = readAddresses(fields, rrtype, policy)
  const recordTypes = [...new Set([rrtype, ...recordTypesOf(addresses)])]
  const { note = null, tags = [] } = input
  return { rrtype, addresses, recordTypes, note: parseNote(note), tags: parseTags(tags) }
}

export interface NewRow {
  readonly userId: string
  readonly placed: PlacedName
  readonly fields: NewDomainFields
  readonly ttl: number
  readonly createdCc: string | null
}

/** Inserts domains whose names are free and locked, with their history. @returns their ids, in order */
export async function insertDomains(
  trx: Knex.Transaction,
  rows: readonly NewRow[],
  actor: Actor,
): Promise<string[]> {
  if (rows.length === 0) return []
  await releaseNames(
    trx,
    rows.map(({ placed }) => placed.owner.fqdn),
  )
  const made = await Domain.query(trx).insert(
    rows.map(({ userId, placed, fields, ttl, createdCc }) => {
      const { ipv4 = null, ipv6 = null } = fields.addresses
      const hasAddress = ipv4 !== null || ipv6 !== null
      return {
        user_id: userId,
        zone_id: placed.zoneId,
        fqdn: placed.owner.fqdn,
        rrtype: fields.rrtype,
        record_ipv4: ipv4,
        record_ipv6: ipv6,
        ttl,
        note: fields.note,
        tags: fields.tags,
        created_cc: createdCc,
        last_update_at: hasAddress ? raw('now()') : null,
        last_update_client: hasAddress ? clientForOwner(actor) : null,
      }
    }),
  )
  const ids = made.map(({ id }) => id)
  await adoptRecords(trx, ids)
  await recordEvents(trx, 'created', ids, actor)
  return ids
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
  const fields = readNewDomain(input, config.addressPolicy)
  const isAdministrator = actsAsAdministrator(principal)
  const { userId } = reach
  const placed = await placeName(services, { input, userId, isAdministrator })
  requireWithin(reach, { fqdn: placed.owner.fqdn, recordTypes: fields.recordTypes })
  await requireAllowance(services, 'new-names-account', userId)
  const createdCc = actor.sourceIp === null ? null : await countryOf(actor.sourceIp)
  return knex.transaction(async (trx) => {
    const plan = await planInForce(trx, userId)
    await lockPlace(trx, placed.zoneId, placed.owner.labelBelowZone)
    await requireFreeName(trx, userId, placed)
    requireFreePlace(plan, plan.owned)
    const row = { userId, placed, fields, ttl: plan.ttlSeconds, createdCc }
    const [id = ''] = await insertDomains(trx, [row], actor)
    await publishDomains(trx, [id])
    return findDomain(trx, reach, { id })
  })
}
