/** Update calls that are too old to be told of go, and so do those of names that are gone. */
import type { Knex } from 'knex'
import { CALLS_KEPT_DAYS } from '../rules/update-calls.ts'
import { query } from '../database/sql.ts'

const DAY_MS = 86_400_000
/** Names that one step goes through. Each has sixty calls at most. */
const NAMES = 500

// Nothing finds calls by their age: an index on it would be written at every call, and this runs now and then.
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
 * Goes through all names, some at a time, so that no statement is long or holds much.
 *
 * @returns how many calls went
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
