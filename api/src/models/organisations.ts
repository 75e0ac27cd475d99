import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** The organisations that run autonomous systems, by number. Those that are not known are missing. */
export async function organisationsOf(
  db: Knex,
  asns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (asns.length === 0) return new Map()
  const rows = await query<{ asn: string; organisation: string }>(
    db,
    'select asn::text, organisation from autonomous_systems where asn = any (?::bigint[])',
    [asns],
  )
  return new Map(rows.map(({ asn, organisation }) => [asn, organisation]))
}
