/**
 * Finds a domain of the caller. The response for another account's domain is the same as for one that does not exist
 * (docs/design.md "Identity").
 */
import type { Knex } from 'knex'
import { notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { domainNameAsked } from '../../rules/names.ts'
import { findOwnedDomain, type OwnedDomain } from '../../models/domain.ts'

/** How a call identifies a domain. */
export type DomainKey = { readonly id: string } | { readonly fqdn: string }

/** The key with its name in the stored form; undefined for a text that cannot be a name. */
function keyOf(key: DomainKey): DomainKey | undefined {
  if ('id' in key) return key
  const fqdn = domainNameAsked(key.fqdn)
  return fqdn === undefined ? undefined : { fqdn }
}

/**
 * The caller's domain with this id or name.
 *
 * @throws Refusal `not-found`
 */
export async function findDomain(db: Knex, reach: Reach, key: DomainKey): Promise<OwnedDomain> {
  const asked = keyOf(key)
  const found = asked && (await findOwnedDomain(db, reach, asked))
  if (found) return found
  throw notFound('domain')
}
