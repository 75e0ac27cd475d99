/** What an account's plan says about its records, and how many it has. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { RecordTerms } from '../rules/records-plan.ts'

export interface RecordsInUse {
  readonly terms: RecordTerms
  /** What the account uses, as its plan counts it. */
  readonly used: number
}

/** Which use of the plan matters. Values count in plans of TXT records, and RRsets in the others. */
export type NeededUse = 'sets' | 'values' | 'none'

// The records are counted only if it matters: an account can have thousands.
const IN_USE = `
  select p.record_limit, p.record_types, p.ttl_seconds,
         case when ?::text = 'sets' or (?::text = 'values' and p.record_types = 'txt') then
           (select case p.record_types when 'txt' then coalesce(sum(cardinality(r.rdata)) filter (where r.type = 'TXT'), 0)
                   else count(*) end
            from records r where r.user_id = ?)::int
         else 0 end as used
  from plans p where p.account_type = ?`

export interface InUseRow {
  readonly record_limit: number
  readonly record_types: RecordTerms['recordTypes']
  readonly ttl_seconds: number
  readonly used: number
}

/** An account whose use of records is asked for. */
export interface UsingAccount {
  readonly id: string
  readonly accountType: string
}

/**
 * The query for the terms of a plan, and what an account uses of them: a row of `InUseRow`. A writer holds the account
 * and the plan.
 *
 * @param needed unless it is the unit that the plan counts, `used` is 0
 */
export const inUseQuery = ({ id, accountType }: UsingAccount, needed: NeededUse) => ({
  sql: IN_USE,
  values: [needed, needed, id, accountType],
})

export const inUseOf = (row: InUseRow): RecordsInUse => ({
  terms: {
    recordLimit: row.record_limit,
    recordTypes: row.record_types,
    ttlSeconds: row.ttl_seconds,
  },
  used: row.used,
})

const VALUES_SIZE = `
  select coalesce(sum(char_length(array_to_string(rdata, ''))), 0)::int as size from records where user_id = ?`

/** The characters of the values of all records of an account. */
export async function valuesSize(db: Knex, userId: string): Promise<number> {
  const [row] = await query<{ size: number }>(db, VALUES_SIZE, [userId], 'record-size')
  return row?.size ?? 0
}

/** The terms of an account's plan, and what it uses of them. */
export async function recordsInUse(db: Knex, account: UsingAccount): Promise<RecordsInUse> {
  const { sql, values } = inUseQuery(account, 'sets')
  const [row] = await query<InUseRow>(db, sql, values, 'records-in-use')
  if (row === undefined) throw new Error(`there is no plan ${account.accountType}`)
  return inUseOf(row)
}
