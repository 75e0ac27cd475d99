/** The domains that the changes and deletions of a batch are about. */
import type { BatchChange, BatchDelete } from '@homing/openapi'
import type { Knex } from 'knex'
import { notFound } from '../../../rules/errors.ts'
import { type Reach, scopeHolds } from '../../../rules/key-scope.ts'
import { domainNameAsked } from '../../../rules/names.ts'
import { Domain, type OwnedDomain } from '../../../models/domain.ts'
import { type BatchLine, keyOfLine } from './batch-line.ts'

type SubjectLine = BatchLine<BatchChange> | BatchLine<BatchDelete>

/** A change or a deletion, and its domain. */
export interface Subject<Line extends SubjectLine = SubjectLine> {
  readonly line: Line
  readonly domain: OwnedDomain
}

/** The caller's domains with these ids or names. */
async function ownedDomains(
  db: Knex,
  { userId, scope }: Reach,
  ids: readonly string[],
  fqdns: readonly string[],
): Promise<OwnedDomain[]> {
  if (ids.length + fqdns.length === 0) return []
  const found = await Domain.query(db)
    .modify('shown')
    .modify('ownedBy', userId)
    .where((either) => {
      either.whereIn('domains.id', ids).orWhereIn('domains.fqdn', fqdns)
    })
    .toKnexQuery<OwnedDomain>()
  return found.filter(({ fqdn }) => scope === undefined || scopeHolds(scope, fqdn))
}

/** Finds the domains, and refuses the lines whose domain the caller does not have. The account is locked. */
export async function findSubjects<Line extends SubjectLine>(
  db: Knex,
  reach: Reach,
  lines: readonly Line[],
): Promise<Subject<Line>[]> {
  const asked = lines.map((line) => {
    const key = line.check(() => keyOfLine(line.operation))
    if (key === undefined || 'id' in key) return { line, id: key?.id, fqdn: undefined }
    return { line, id: undefined, fqdn: domainNameAsked(key.fqdn) }
  })
  const isText = (text: string | undefined) => text !== undefined
  const domains = await ownedDomains(
    db,
    reach,
    asked.map(({ id }) => id).filter(isText),
    asked.map(({ fqdn }) => fqdn).filter(isText),
  )
  const byName = new Map(
    domains.flatMap(
      (each) =>
        [
          [each.fqdn, each],
          [each.id, each],
        ] as const,
    ),
  )
  return asked.flatMap(({ line, id, fqdn }) => {
    const domain = byName.get(id ?? fqdn ?? '')
    if (domain === undefined) {
      line.refuse(notFound('domain'))
      return []
    }
    line.id = domain.id
    line.fqdn = domain.fqdn
    return [{ line, domain }]
  })
}

/** The ids of the wildcards of some domains. */
export async function wildcardsOf(db: Knex, ids: readonly string[]): Promise<string[]> {
  const rows = await Domain.query(db).select('id').whereIn('base_id', ids)
  return rows.map(({ id }) => id)
}
