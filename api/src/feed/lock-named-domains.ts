/** Locks domains by their names (`lock-order.ts`). */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { ascendingIds, enterStep } from './lock-order.ts'
import type { DomainRow } from './rows.ts'

/** The domains of an account in a zone. */
export interface DomainsOfAccount {
  readonly userId: string
  readonly zoneId: string
}

/** A domain that was found by its name. */
export type NamedDomain = Pick<DomainRow, 'id' | 'fqdn' | 'is_active'>

/** The domains that a change is about, by their names. */
export interface AskedDomains {
  /** Those that are locked. */
  readonly locked: readonly string[]
  /** Those that are only read. */
  readonly read: readonly string[]
  /** The names below which domains are read. */
  readonly above: readonly string[]
}

// About '.' and '/' see `publish_owners`. The search below a name is lateral, so that each name is looked up by an index.
const BELOW = `
  select d.id, d.fqdn, d.is_active, false from unnest(?::text[]) as b(name)
  cross join lateral (
    select id, fqdn, is_active, user_id from domains
    where reverse(fqdn) ~>=~ (reverse(b.name) || '.') and reverse(fqdn) ~<~ (reverse(b.name) || '/')) as d
  where d.user_id = ?
  union all`

// The names go through an array that PostgreSQL does not see when it plans. It then expects as many rows for every call,
// and keeps the plan.
const lockNamed = (below: string) => `
  with held as materialized (
    select d.id, d.fqdn, d.is_active from domains d
    where d.user_id = ? and d.zone_id = ? and d.fqdn = any (array(select unnest(?::text[]))) order by d.id for update
  )
  select d.id, d.fqdn, d.is_active, false as is_locked
  from domains d where d.user_id = ? and d.zone_id = ? and d.fqdn = any (array(select unnest(?::text[])))
  union all ${below}
  select id, fqdn, is_active, true from held`

/**
 * Finds domains by their names, and locks some of them as `lockDomains` does. The caller holds the account: an account's
 * domains are created and deleted only under its lock, so the statement finds all of them. Whether a domain is served is
 * certain only for those that are locked.
 */
export async function lockNamedDomains(
  trx: Knex.Transaction,
  { userId, zoneId }: DomainsOfAccount,
  { locked, read, above }: AskedDomains,
): Promise<NamedDomain[]> {
  enterStep(trx, 'domains', [])
  const values = [userId, zoneId, locked, userId, zoneId, read]
  // With an empty search below names, PostgreSQL would not use a kept plan: it expects many rows of one.
  const [name, sql, given] =
    above.length === 0
      ? ['lock-named-domains', lockNamed(''), values]
      : ['lock-domains-below', lockNamed(BELOW), [...values, above, userId]]
  const rows = await query<NamedDomain & { readonly is_locked: boolean }>(trx, sql, given, name)
  enterStep(trx, 'domains', ascendingIds(rows.flatMap((row) => (row.is_locked ? [row.id] : []))))
  return rows
}
