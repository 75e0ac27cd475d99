/** Which domain the DNS queries for a name belong to. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** A counted name in its zone. */
export interface ZonedName {
  readonly zone: string
  /** Null for queries that are counted for the zone only. */
  readonly name: string | null
}

export interface ClosestDomain {
  readonly id: string
  readonly userId: string
}

/**
 * Finds the domain whose owner the queries for a name belong to: the name itself or its closest ancestor that is a domain.
 *
 * @returns a function that returns that domain, for the given names
 */
export async function closestDomains(
  db: Knex,
  names: readonly ZonedName[],
): Promise<(name: ZonedName) => ClosestDomain | undefined> {
  const all = new Set(names.flatMap(namesUpTo))
  const found = await query<ClosestDomain & { readonly fqdn: string }>(
    db,
    'select fqdn, id::text, user_id::text as "userId" from domains where fqdn = any (?)',
    [[...all]],
  )
  const domains = new Map(found.map(({ fqdn, id, userId }) => [fqdn, { id, userId }]))
  return (name) => {
    const closest = namesUpTo(name).find((each) => domains.has(each))
    return closest === undefined ? undefined : domains.get(closest)
  }
}

/** The name and its ancestors, without the zone itself. */
function namesUpTo({ name, zone }: ZonedName): string[] {
  const names: string[] = []
  if (name === null) return names
  for (let each = name; each.length > zone.length && each.endsWith(`.${zone}`);) {
    names.push(each)
    each = each.slice(each.indexOf('.') + 1)
  }
  return names
}
