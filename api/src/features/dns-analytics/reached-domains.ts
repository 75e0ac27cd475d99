/** The domains whose queries a caller sees. */
import type { Knex } from 'knex'
import { Domain, type OwnedDomain } from '../../models/domain.ts'
import { notFound } from '../../rules/errors.ts'
import { type Reach, scopeHolds } from '../../rules/key-scope.ts'

export type ReachedDomain = Pick<OwnedDomain, 'id' | 'fqdn'>

/**
 * The caller's domains, wildcards included, or one of them.
 *
 * @param id undefined: all
 * @throws Refusal `not-found`
 */
export async function reachedDomains(
  knex: Knex,
  { userId, scope }: Reach,
  id?: string,
): Promise<ReachedDomain[]> {
  const found = await Domain.query(knex)
    .modify('ownedBy', userId)
    .where((all) => void (id === undefined ? all : all.where('domains.id', id)))
    .orderBy('domains.id')
    .select('domains.id', 'domains.fqdn')
    .toKnexQuery<ReachedDomain>()
  const reached = found.filter(({ fqdn }) => scope === undefined || scopeHolds(scope, fqdn))
  if (id !== undefined && reached.length === 0) throw notFound('domain')
  return reached
}
