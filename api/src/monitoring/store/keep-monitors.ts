/** What keeps monitors as they should be. Every worker does it every few seconds. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'
import { settleMaintenance } from './maintenance.ts'
import { settleAllMonitors } from './run-monitors.ts'

// A check is due within one interval; a postponed one within two minutes. Later times were made before the clock went
// back. Claimed checks end on their own.
const PULL_BACK = `
  with late as (
    select s.monitor_id, now() + make_interval(secs => random() * least(60, m.interval_seconds)) as due_at
    from monitor_schedule s join monitors m on m.id = s.monitor_id
    where s.due_at > now() + interval '2 minutes' and s.due_at > now() + make_interval(secs => m.interval_seconds + 60)
    order by s.monitor_id for update of s skip locked
  )
  update monitor_schedule s set due_at = l.due_at, expected_by = l.due_at + interval '${RESULT_EXPECTED_MS} milliseconds'
  from late l where s.monitor_id = l.monitor_id
  returning s.monitor_id`

/** How many monitors each step changed. */
export interface Kept {
  readonly settled: number
  readonly maintenance: number
  /** Checks that were due too late, because the clock has gone back. */
  readonly pulledBack: number
}

/**
 * Starts and stops monitors whose plan, domain or pause has changed, begins and ends maintenance, and repairs the schedule
 * after the clock has gone back. Several workers can do this at once.
 */
export async function keepMonitors(knex: Knex): Promise<Kept> {
  const settled = await settleAllMonitors(knex)
  const maintenance = await settleMaintenance(knex)
  const pulledBack = (await query(knex, PULL_BACK)).length
  return { settled, maintenance, pulledBack }
}
