/** Claims a domain as an own zone. */
import type { Knex } from 'knex'
import { lockOver } from '../../feed/name-locks.ts'
import { holdOwnZone, withZoneOwner } from '../../feed/own-zone-owner.ts'
import { settleOwnZone } from '../../feed/own-zones.ts'
import { publish } from '../../feed/publish.ts'
import { addVerifyNames } from '../../feed/verify-names.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { ZoneClaim } from '../../models/zone-claim.ts'
import { Zone } from '../../models/zone.ts'
import { Refusal } from '../../rules/errors.ts'
import { nameKept } from '../../rules/names.ts'
import { parseOwnZoneName } from '../../rules/own-zone-name.ts'
import { claimEnd } from '../../rules/zone-checks.ts'
import type { Services } from '../../compose.ts'
import { requireZonesNow } from './account-zones.ts'
import { checkZone } from './check-zone.ts'
import { findZone, type ShownZone } from './shown-zones.ts'

/** The maximum number of live claims of an account. */
const CLAIMS_LIMIT = 20

/** A label of 26 characters: 130 random bits. */
const TOKEN_BYTES = 26
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Which name servers the zone has. */
export interface ServersWish {
  readonly isVanity: boolean
  readonly usesVanity: boolean
}

function newToken(randomBytes: (count: number) => Buffer): string {
  return [...randomBytes(TOKEN_BYTES)].map((octet) => DIGITS.charAt(octet % 32)).join('')
}

/**
 * The domain of a claim in stored form.
 *
 * @throws Refusal `name-not-allowed`
 */
export async function claimableName({ knex, config }: Services, text: string): Promise<string> {
  const rows = await Zone.query(knex).select('name').where('is_own', false)
  return parseOwnZoneName(text, [...new Set([...config.zones, ...rows.map(({ name }) => name)])])
}

/** @throws Refusal `conflict`, `zone-limit`, `name-not-allowed` */
async function requireClaimable(
  trx: Knex.Transaction,
  userId: string,
  name: string,
  { usesVanity }: ServersWish,
): Promise<void> {
  // It can have become a zone of the service since its name was read.
  const [taken] = await Zone.query(trx).select('id').where({ name, is_own: false }).limit(1)
  if (taken !== undefined) throw nameKept('domain', name)
  // In the words of a reserved name: the claimant does not learn that an administrator locked it.
  if ((await lockOver(trx, name)) !== undefined) throw nameKept('domain', name)
  const claims = await ZoneClaim.query(trx)
    .select('name', 'is_vanity')
    .modify('ownedBy', userId)
    .modify('live')
  if (claims.some((claim) => claim.name === name)) {
    throw new Refusal('conflict', `${name} is already one of your zones.`)
  }
  if (usesVanity && !claims.some((claim) => claim.is_vanity)) {
    throw new Refusal(
      'conflict',
      'Your vanity name servers are not set up. Set them up first, or claim the domain without them.',
    )
  }
  if (claims.length >= CLAIMS_LIMIT) {
    throw new Refusal(
      'zone-limit',
      `You have ${claims.length} own zones, and ${CLAIMS_LIMIT} are possible. Delete a zone first.`,
    )
  }
}

/**
 * Inserts a claim and makes its zone. The caller holds the zone (`holdOwnZone`).
 *
 * @returns the claim's id
 * @throws Refusal `conflict`, `zone-limit`, `name-not-allowed`
 */
export async function insertClaim(
  { config, now, randomBytes }: Services,
  trx: Knex.Transaction,
  { userId, name }: { readonly userId: string; readonly name: string },
  wish: ServersWish,
): Promise<string> {
  await requireClaimable(trx, userId, name, wish)
  const at = now()
  const { id } = await ZoneClaim.query(trx).insert({
    user_id: userId,
    name,
    token: newToken(randomBytes),
    is_vanity: wish.isVanity,
    uses_vanity: wish.usesVanity,
    claimed_at: at,
    expires_at: claimEnd(at),
    next_check_at: at,
  })
  const zone = await settleOwnZone(trx, name, config.nameservers)
  const verify = await addVerifyNames(trx, config)
  await publish(trx, [...zone, ...verify])
  return id
}

/**
 * Claims a domain for the account. Its zone is neutral until the ownership is proved. The first check runs at once: it
 * decides whether the delegation can be the proof.
 *
 * @throws Refusal `plan-required`, `name-not-allowed`, `conflict`, `zone-limit`, `account-disabled`, `rate-limited`
 */
export async function claimZone(
  services: Services,
  userId: string,
  domain: string,
  wish: ServersWish,
): Promise<ShownZone> {
  const { knex } = services
  const name = await claimableName(services, domain)
  await requireAllowance(services, 'zone-claims-account', userId)
  const id = await withZoneOwner(knex, async (trx) => {
    await requireZonesNow(trx, await holdOwnZone(trx, userId, name))
    return insertClaim(services, trx, { userId, name }, wish)
  })
  await checkZone(services, id, 'first')
  return findZone(knex, { userId, scope: undefined }, id)
}
