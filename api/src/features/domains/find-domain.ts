/** Finding one domain of the caller's. Somebody else's is not found, as one that does not exist (docs/design.md "Identity"). */
import type { TransactionOrKnex } from 'objection'
import { notFound } from '../../domain/errors.ts'
import { domainNameAsked } from '../../domain/names.ts'
import { OwnedDomain } from '../../models/domain.ts'

/** How a call names a domain. */
export type DomainKey = { readonly id: string } | { readonly fqdn: string }

/**
 * The caller's domain of this id or name.
 *
 * @throws Refusal `not-found`
 */
export async function findDomain(
  db: TransactionOrKnex,
  userId: string,
  key: DomainKey,
): Promise<OwnedDomain> {
  const domains = OwnedDomain.of(db, userId)
  if ('id' in key) {
    const found = await domains.findOne('d.id', key.id)
    if (found) return found
    throw notFound('domain')
  }
  const fqdn = domainNameAsked(key.fqdn)
  const found = fqdn === undefined ? undefined : await domains.findOne('d.fqdn', fqdn)
  if (found) return found
  throw notFound('domain')
}
