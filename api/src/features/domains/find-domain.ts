/** Finding one domain of the caller's. Somebody else's is not found, as one that does not exist (docs/design.md "Identity"). */
import type { Knex } from 'knex'
import { notFound } from '../../domain/errors.ts'
import type { Reach } from '../../domain/key-scope.ts'
import { domainNameAsked } from '../../domain/names.ts'
import { findOwnedDomain, type OwnedDomain } from '../../models/domain.ts'
import type { Condition } from '../../sql.ts'

/** How a call names a domain. */
export type DomainKey = { readonly id: string } | { readonly fqdn: string }

/** What a domain of this key meets; undefined for a text that no name can be. */
function conditionOf(key: DomainKey): Condition | undefined {
  if ('id' in key) return ['d.id = ?', key.id]
  const fqdn = domainNameAsked(key.fqdn)
  return fqdn === undefined ? undefined : ['d.fqdn = ?', fqdn]
}

/**
 * The caller's domain of this id or name.
 *
 * @throws Refusal `not-found`
 */
export async function findDomain(db: Knex, reach: Reach, key: DomainKey): Promise<OwnedDomain> {
  const condition = conditionOf(key)
  const found = condition && (await findOwnedDomain(db, reach, condition))
  if (found) return found
  throw notFound('domain')
}
