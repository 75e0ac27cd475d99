import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** A counted name in its zone. */
export interface ZonedName {
  readonly zone: string
  /** Null for queries that are counted for the zone only. */
  readonly name: string | null
}

/**
 * Finds the domain whose owner the queries for a name belong to: the name itself or its closest ancestor that is a domain.
 *
 * @returns a function that returns the id of that domain, for the given names
 */
export async function closestDomains(
  trx: Knex,
  names: readonly ZonedName[],
): Promise<(name: ZonedName) => string | undefined> {
  const all = new Set(names.flatMap(namesUpTo))
  const found = await query<{ fqdn: string; id: string }>(
    trx,
    'select fqdn, id::text from domains where fqdn = any (?)',
    [[...all]],
  )
  const ids = new Map(found.map(({ fqdn, id }) => [fqdn, id]))
  return (name) => {
    const closest = namesUpTo(name).find((each) => ids.has(each))
    return closest === undefined ? undefined : ids.get(closest)
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
