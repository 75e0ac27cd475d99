/** Wildcards: an RRset that answers for every nonexistent name below a domain (RFC 4592). */
import type { Knex } from 'knex'
import { raw } from 'objection'
import { labelBelowZone, wildcardOf } from '../rules/names.ts'
import { Domain, findOwnedDomain } from '../models/domain.ts'
import { Plan } from '../models/plan.ts'
import { query } from '../database/sql.ts'
import { type Actor, clientForOwner } from './address-change.ts'
import { recordEvents } from './domain-events.ts'
import { holdPlans, lockAccount, lockDomains, lockPlace } from './lock-order.ts'
import { lockOver, wouldRevive } from './name-locks.ts'
import { publishDomains } from './publish.ts'
import type { DomainRow, LockedAccount } from './rows.ts'

/** Maximum octets of a name as text (RFC 1035 §2.3.4). */
export const NAME_LIMIT = 253

export type WildcardVerdict =
  | { readonly kind: 'made'; readonly id: string }
  /** The domain does not exist or belongs to another account. */
  | { readonly kind: 'gone' }
  /** The account's plan does not include wildcards. */
  | { readonly kind: 'not-in-plan' }
  /** The domain already has a wildcard. */
  | { readonly kind: 'exists' }
  /** The domain is itself a wildcard. */
  | { readonly kind: 'is-wildcard' }
  /** The domain has no address for the wildcard to follow. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'too-long' }
  /** An imported zone has its own wildcard there, or the account has a CNAME record there. */
  | { readonly kind: 'of-zone' }
  /** The domain is locked, or is below a locked name. */
  | { readonly kind: 'locked' }
  /** It would answer for a locked name that has no domain. */
  | { readonly kind: 'covers-locked-name' }

/** Why a base cannot have a wildcard; undefined when it can. */
async function objection(
  trx: Knex.Transaction,
  base: DomainRow,
): Promise<WildcardVerdict | undefined> {
  if (base.is_wildcard) return { kind: 'is-wildcard' }
  if (base.locked || (await lockOver(trx, base.fqdn)) !== undefined) return { kind: 'locked' }
  if (await wouldRevive(trx, base.fqdn)) return { kind: 'covers-locked-name' }
  if (base.record_ipv4 === null && base.record_ipv6 === null) return { kind: 'no-address' }
  if (wildcardOf(base.fqdn).length > NAME_LIMIT) return { kind: 'too-long' }
  const [own] = await query(
    trx,
    `select from records where zone_id = ? and owner = ? and (user_id is null or type = 'CNAME')`,
    [base.zone_id, wildcardOf(base.fqdn)],
  )
  return own === undefined ? undefined : { kind: 'of-zone' }
}

/** Inserts the wildcard's row as a copy of its base; undefined when a wildcard exists. */
async function insertWildcard(
  trx: Knex.Transaction,
  base: DomainRow,
  actor: Actor,
  createdCc: string | null,
): Promise<string | undefined> {
  const { user_id, zone_id, rrtype, record_ipv4, record_ipv6, ttl } = base
  const { locked, paused, over_limit, owner_blocked, is_forwarded } = base
  const [made] = await Domain.query(trx)
    .insert({
      user_id,
      zone_id,
      base_id: base.id,
      fqdn: wildcardOf(base.fqdn),
      is_wildcard: true,
      rrtype,
      record_ipv4,
      record_ipv6,
      ttl,
      locked,
      paused,
      over_limit,
      owner_blocked,
      is_forwarded,
      last_update_at: raw('now()'),
      last_update_client: clientForOwner(actor),
      created_cc: createdCc,
    })
    .onConflict()
    .ignore()
    .toKnexQuery<Pick<Domain, 'id'>>()
  return made?.id
}

/** Whether the account's plan has wildcards. The result stays valid until the transaction ends. */
async function hasWildcards(
  trx: Knex.Transaction,
  { account_type }: LockedAccount,
): Promise<boolean> {
  await holdPlans(trx, [account_type])
  const plan = await Plan.query(trx).findById(account_type)
  return plan?.abilities.includes('wildcard') === true
}

/**
 * Creates the wildcard of one of an account's domains and publishes it. It has the addresses, the TTL and
 * the state of its base, does not count towards limits, and is deleted with its base. The plan is checked
 * again here, under a lock that keeps it until the wildcard exists.
 *
 * @param createdCc the country of the request (ISO 3166-1)
 */
export async function addWildcard(
  trx: Knex.Transaction,
  userId: string,
  domainId: string,
  actor: Actor,
  createdCc: string | null = null,
): Promise<WildcardVerdict> {
  const account = await lockAccount(trx, userId)
  if (account === undefined) return { kind: 'gone' }
  if (!(await hasWildcards(trx, account))) return { kind: 'not-in-plan' }
  // The account is locked, so the domain cannot be deleted from here on.
  const place = await findOwnedDomain(trx, { userId, scope: undefined }, { id: domainId })
  if (place === undefined) return { kind: 'gone' }
  await lockPlace(trx, place.zone_id, labelBelowZone(place.fqdn, place.zone))
  const [base] = await lockDomains(trx, [domainId])
  if (base === undefined) throw new Error(`domain ${domainId} was deleted in the meantime`)
  const obstacle = await objection(trx, base)
  if (obstacle !== undefined) return obstacle
  const id = await insertWildcard(trx, base, actor, createdCc)
  if (id === undefined) return { kind: 'exists' }
  await recordEvents(trx, 'wildcard_created', [id], actor)
  await publishDomains(trx, [id])
  return { kind: 'made', id }
}
