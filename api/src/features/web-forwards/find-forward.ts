/** Finds the account's web forwards, and the domains that can have one. */
import type { Knex } from 'knex'
import { domainLocked, invalid, notFound } from '../../rules/errors.ts'
import { type Reach, requireWithin, scopeHolds } from '../../rules/key-scope.ts'
import { findOwnedDomain, type OwnedDomain } from '../../models/domain.ts'
import { readPrepared } from '../../models/prepared.ts'
import { type ShownForward, shownForwards } from '../../models/shown-forward.ts'

/** The feature, in the words of users. */
export const WEB_FORWARDS = 'Web forwards'

/** A forward replaces the addresses of both families in DNS. */
const RECORD_TYPES = ['A', 'AAAA'] as const

/** The forwards that the caller reaches, by domain. */
export async function listForwards(db: Knex, { userId, scope }: Reach): Promise<ShownForward[]> {
  const rows = await shownForwards(db)
    .modify('ownedBy', userId)
    .orderBy('domain.fqdn')
    .toKnexQuery<ShownForward>()
  return scope === undefined ? rows : rows.filter(({ fqdn }) => scopeHolds(scope, fqdn))
}

/** A forward, and whether an administrator locked its domain. */
export type FoundForward = ShownForward & Pick<OwnedDomain, 'locked'>

/**
 * The caller's forward with this id.
 *
 * @throws Refusal `not-found`
 */
export async function findForward(
  db: Knex,
  { userId, scope }: Reach,
  id: string,
): Promise<FoundForward> {
  const [row] = await readPrepared<FoundForward>(db, {
    name: 'forward by id',
    build: () =>
      shownForwards(db)
        .select('domain.locked')
        .modify('ownedBy', userId)
        .where('web_forwards.id', id),
    values: [userId, id],
  })
  if (row === undefined || (scope !== undefined && !scopeHolds(scope, row.fqdn))) {
    throw notFound('web forward')
  }
  return row
}

/**
 * The caller's domain with this id, for the start of a forward.
 *
 * @throws Refusal `not-found`, `validation-failed` for a wildcard, `domain-locked`, `key-scope`
 */
export async function forwardableDomain(db: Knex, reach: Reach, id: string): Promise<OwnedDomain> {
  const domain = await findOwnedDomain(db, reach, { id })
  if (domain === undefined) throw notFound('domain')
  const { fqdn } = domain
  if (domain.is_wildcard) {
    const message = `${fqdn} is a wildcard and uses the web forward of ${fqdn.slice(2)}. Forward ${fqdn.slice(2)} instead.`
    throw invalid({ field: 'domain_id', message })
  }
  requireForwardable(reach, domain)
  return domain
}

/** @throws Refusal `domain-locked`, `key-scope` */
export function requireForwardable(
  reach: Reach,
  { fqdn, locked }: Pick<OwnedDomain, 'fqdn' | 'locked'>,
): void {
  requireWithin(reach, { fqdn, recordTypes: RECORD_TYPES })
  if (locked) throw domainLocked(fqdn, 'its web forward cannot be changed')
}
