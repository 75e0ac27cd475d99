/** Deletes update calls whose retention has ended, and those of deleted domains. */
import type { Knex } from 'knex'
import { CALLS_KEPT_DAYS } from '../rules/update-calls.ts'
import { query } from '../database/sql.ts'

const DAY_MS = 86_400_000
/** Domains that one step goes through. Each has at most sixty calls. */
const NAMES = 500

// There is no index on the age of calls: every call would have to write it, and this job runs rarely.
const STEP = `
  with names as (
    select r.domain_id, d.id is null as is_gone
    from update_call_rings r left join domains d on d.id = r.domain_id
    where r.domain_id > ? order by r.domain_id limit ${NAMES}
  ), calls as (
    delete from update_calls c using names n
    where c.domain_id = n.domain_id and (n.is_gone or c.last_at <= ?) returning 1
  ), rings as (
    delete from update_call_rings r using names n where r.domain_id = n.domain_id and n.is_gone
  )
  select max(domain_id)::text as last, (select count(*)::int from calls) as gone from names`

/**
 * Goes through all domains in batches, so that no statement runs long or locks many rows.
 *
 * @returns the number of deleted calls
 */
export async function expireUpdateCalls(knex: Knex, now: Date): Promise<number> {
  const before = new Date(now.getTime() - CALLS_KEPT_DAYS * DAY_MS)
  let after = '0'
  let total = 0
  for (;;) {
    const [step] = await query<{ last: string | null; gone: number }>(knex, STEP, [after, before])
    if (step === undefined || step.last === null) return total
    total += step.gone
    after = step.last
  }
}
