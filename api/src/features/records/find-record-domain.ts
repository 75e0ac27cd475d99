/** Finds the id of a domain for callers that may reach only records below it. */
import type { RecordDomain } from '@homing/openapi'
import type { Knex } from 'knex'
import { findRecordPlace } from '../../models/record-place.ts'
import { notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { domainNameAsked } from '../../rules/names.ts'

/**
 * The caller's domain with this name, if its scope reaches a name at or below the domain.
 *
 * @throws Refusal `not-found`
 */
export async function findRecordDomain(
  db: Knex,
  reach: Reach,
  name: string,
): Promise<RecordDomain> {
  const fqdn = domainNameAsked(name)
  const place = fqdn === undefined ? undefined : await findRecordPlace(db, reach, { fqdn })
  if (typeof place?.domainId !== 'string') throw notFound('domain')
  return { id: place.domainId, fqdn: place.fqdn }
}
