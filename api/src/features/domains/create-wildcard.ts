/** Wildcards: an RRset that answers for every name below a domain that does not exist (RFC 4592). */
import type { NewWildcard } from '@homing/openapi'
import type { Knex } from 'knex'
import { Refusal } from '../../domain/errors.ts'
import { labelBelowZone, wildcardOf } from '../../domain/names.ts'
import { requireAbility } from '../../domain/plans.ts'
import type { Actor } from '../../feed/address-change.ts'
import { lockAccount, lockDomains, lockPlace } from '../../feed/lock-order.ts'
import { publishDomains } from '../../feed/publish.ts'
import type { DomainRow } from '../../feed/rows.ts'
import { query } from '../../sql.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import type { CallerAccount } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { findDomain } from './find-domain.ts'
import { recordEvents } from './history.ts'

/** Octets of a name as text (RFC 1035 §2.3.4). */
const NAME_LIMIT = 253

function conflict(message: string): Refusal {
  return new Refusal('conflict', message, { faults: [{ field: 'base_fqdn', message }] })
}

function requireWildcardPossible(base: DomainRow): void {
  if (base.is_wildcard) throw conflict(`${base.fqdn} is a wildcard itself.`)
  if (base.record_ipv4 === null && base.record_ipv6 === null) {
    throw conflict(`${base.fqdn} has no address that a wildcard could follow. Set one first.`)
  }
  if (wildcardOf(base.fqdn).length > NAME_LIMIT) {
    const message = `${wildcardOf(base.fqdn)} would be longer than ${NAME_LIMIT} characters.`
    throw new Refusal('name-not-allowed', message, { faults: [{ field: 'base_fqdn', message }] })
  }
}

/** An imported zone may hold a wildcard of its own there. */
async function requireNoZoneWildcard(trx: Knex.Transaction, base: DomainRow): Promise<void> {
  const [own] = await query(
    trx,
    'select from records where zone_id = ? and owner = ? and domain_id is null',
    [base.zone_id, wildcardOf(base.fqdn)],
  )
  if (own) throw conflict(`${wildcardOf(base.fqdn)} is served by the zone itself.`)
}

/** Inserts the wildcard's row as a copy of its base; undefined when there is one. */
async function insertWildcard(trx: Knex.Transaction, base: DomainRow): Promise<string | undefined> {
  const [made] = await query<{ id: string }>(
    trx,
    `insert into domains (user_id, zone_id, base_id, fqdn, is_wildcard, rrtype, record_ipv4, record_ipv6, ttl,
                          locked, paused, over_limit, owner_blocked, last_update_at)
     select user_id, zone_id, id, ?, true, rrtype, record_ipv4, record_ipv6, ttl,
            locked, paused, over_limit, owner_blocked, now()
     from domains where id = ?
     on conflict do nothing returning id`,
    [wildcardOf(base.fqdn), base.id],
  )
  return made?.id
}

/**
 * Makes the wildcard of one of the account's domains. It has the addresses, the TTL and
 * the state of its base, counts towards no limit, and goes with its base.
 *
 * @throws Refusal `plan-required`, `not-found`, `conflict`, `name-not-allowed`
 */
export async function createWildcard(
  { knex }: Services,
  account: CallerAccount,
  input: NewWildcard,
  actor: Actor,
): Promise<OwnedDomain> {
  requireAbility(account, 'wildcard', 'Wildcards')
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    const { id, fqdn, zone, zone_id } = await findDomain(trx, account.id, { fqdn: input.base_fqdn })
    await lockPlace(trx, zone_id, labelBelowZone(fqdn, zone))
    const [base] = await lockDomains(trx, [id])
    // The account is locked, so nobody can have deleted it since.
    if (base === undefined) throw new Error(`domain ${id} vanished`)
    requireWildcardPossible(base)
    await requireNoZoneWildcard(trx, base)
    const wildcardId = await insertWildcard(trx, base)
    if (wildcardId === undefined) throw conflict(`${base.fqdn} has a wildcard already.`)
    await recordEvents(trx, 'wildcard_created', [wildcardId], actor)
    await publishDomains(trx, [wildcardId])
    return findDomain(trx, account.id, { id: wildcardId })
  })
}
