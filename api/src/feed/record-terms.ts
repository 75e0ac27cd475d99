/** What an account's plan says about its records, and how many it has. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { RecordTerms } from '../rules/records-plan.ts'

export interface RecordsInUse {
  readonly terms: RecordTerms
  /** What the account uses, as its plan counts it. */
  readonly used: number
}

// The records are counted only if it matters: an account can have thousands.
const IN_USE = `
  select p.record_limit, p.record_types, p.ttl_seconds,
         case when ?::boolean then
           (select case p.record_types when 'txt' then coalesce(sum(cardinality(r.rdata)) filter (where r.type = 'TXT'), 0)
                   else count(*) end
            from records r where r.user_id = ?)::int
         else 0 end as used
  from plans p where p.account_type = ?`

interface InUseRow {
  readonly record_limit: number
  readonly record_types: RecordTerms['recordTypes']
  readonly ttl_seconds: number
  readonly used: number
}

/**
 * The terms of a plan, and what an account uses of them. A writer holds the account and the plan.
 *
 * @param isCounted false: nothing can grow, and `used` is 0
 */
export async function recordsInUse(
  db: Knex,
  { id, accountType }: { readonly id: string; readonly accountType: string },
  isCounted = true,
): Promise<RecordsInUse> {
  const values = [isCounted, id, accountType]
  const [row] = await query<InUseRow>(db, IN_USE, values, 'records-in-use')
  if (row === undefined) throw new Error(`there is no plan ${accountType}`)
  const { record_limit: recordLimit, record_types: recordTypes, ttl_seconds: ttlSeconds } = row
  return { terms: { recordLimit, recordTypes, ttlSeconds }, used: row.used }
}
