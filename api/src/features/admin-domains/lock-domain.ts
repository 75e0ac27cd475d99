/** Locking: an administrator withholds a name, and gives it back. */
import type { Knex } from 'knex'
import { Refusal } from '../../domain/errors.ts'
import type { Actor } from '../../feed/address-change.ts'
import { lockAccount, lockDomains } from '../../feed/lock-order.ts'
import { publishDomains } from '../../feed/publish.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { type DomainRow, findAnyDomain } from './domain-list.ts'

// A name that is withheld for another reason as well does not come back with its lock.
const SET_LOCKED = `
  with changed as (
    update domains set locked = ?, version = version + 1
    where id = any (?::bigint[])
    returning id, user_id, fqdn, locked, is_active
  )
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client)
  select id, user_id, fqdn, case when locked then 'withheld' else 'restored' end, ?, ?, ?, ?
  from changed where locked or is_active`

/** The domain's row and its wildcard's, locked. Its owner's account is, so nobody makes a wildcard meanwhile. */
async function lockWithWildcard(trx: Knex.Transaction, domain: DomainRow) {
  await lockAccount(trx, domain.user_id)
  const rows = await query<{ id: string }>(trx, 'select id from domains where base_id = ?', [
    domain.id,
  ])
  return lockDomains(trx, [domain.id, ...rows.map(({ id }) => id)])
}

/**
 * Withholds a domain and its wildcard, or takes that back, and publishes both in one
 * change set. Whatever else withholds them still does.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard: it follows its domain
 */
export async function setLocked(
  { knex }: Pick<Services, 'knex'>,
  domainId: string,
  locked: boolean,
  actor: Actor,
): Promise<DomainRow> {
  return knex.transaction(async (trx) => {
    const domain = await findAnyDomain(trx, domainId)
    if (domain.is_wildcard) {
      const verb = locked ? 'Lock' : 'Unlock'
      throw new Refusal('conflict', `A wildcard follows its domain. ${verb} that one.`)
    }
    const rows = await lockWithWildcard(trx, domain)
    const ids = rows.filter((row) => row.locked !== locked).map(({ id }) => id)
    if (ids.length > 0) {
      const { kind, id, sourceIp, client } = actor
      await query(trx, SET_LOCKED, [locked, ids, kind, id, sourceIp, client])
      await publishDomains(trx, ids)
    }
    return findAnyDomain(trx, domainId)
  })
}
