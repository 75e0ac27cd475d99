/** The record types that a change of a whole domain concerns: its deletion, its pause and their undo. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { type Reach, requireWithin } from '../rules/key-scope.ts'

// A web forward publishes the addresses of the forwarding servers.
const TYPES = `
  select d.id, array(
    select 'A' where d.record_ipv4 is not null or (d.is_forwarded or f.id is not null)
    union select 'AAAA' where d.record_ipv6 is not null or (d.is_forwarded or f.id is not null)
    union select r.type from records r where r.domain_id = d.id) as types
  from domains d left join web_forwards f on f.domain_id = d.id where d.id = any (?::bigint[])`

/** The types of all records of domains, by id: addresses, those of web forwards, and the others. Empty if the scope of the caller does not limit types. */
export async function servedTypes(
  db: Knex,
  { scope }: Reach,
  domainIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (scope === undefined || scope.record_types === null || domainIds.length === 0) return new Map()
  const rows = await query<{ id: string; types: string[] }>(db, TYPES, [domainIds])
  return new Map(rows.map(({ id, types }) => [id, types]))
}

/** Refuses a change of a whole domain to a key that may not change each of its types. @throws Refusal `key-scope` */
export async function requireServedTypes(db: Knex, reach: Reach, domainId: string): Promise<void> {
  const types = (await servedTypes(db, reach, [domainId])).get(domainId)
  if (types !== undefined) requireWithin(reach, { recordTypes: types })
}
