/** Takes back outages that a worker found while its own network was failing. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { CONFIRMATION_DELAY_MS, RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'
import { holdMonitors } from './held-checks.ts'
import { CHECKER_OFFLINE_TEXT } from './judge.ts'
import { notifyMonitors } from './live-channel.ts'

// An outage can have ended since; then its interval ended in the same time.
const DOUBTFUL = `
  select distinct i.monitor_id
  from monitor_intervals i
  where i.worker = ? and i.state = 'down' and i.found_at > now() - make_interval(secs => ?)
    and (i.until is null or i.until > now() - make_interval(secs => ?))`

// The time of an amended interval moves from down to unknown, also in the sums of all later intervals.
const AMEND = `
  with doubtful as materialized (
    select id, monitor_id, since, (extract(epoch from until - since) * 1000)::bigint as ms
    from monitor_intervals
    where monitor_id = any (?::bigint[]) and worker = ? and state = 'down' and found_at > now() - make_interval(secs => ?)
  ), moved as (
    select i.id, i.id in (select id from doubtful) as is_doubtful,
           coalesce((select sum(e.ms) from doubtful e where e.monitor_id = i.monitor_id and e.since < i.since), 0) as ms
    from monitor_intervals i
    join (select monitor_id, min(since) as since from doubtful group by monitor_id) as first
      on first.monitor_id = i.monitor_id and i.since >= first.since
  )
  update monitor_intervals i
  set state = case when m.is_doubtful then 'unknown' else i.state end,
      cause = case when m.is_doubtful then 'checker-offline' else i.cause end,
      cause_text = case when m.is_doubtful then ? else i.cause_text end,
      down_ms_before = i.down_ms_before - m.ms, unknown_ms_before = i.unknown_ms_before + m.ms
  from moved m where i.id = m.id
  returning i.id, i.monitor_id, i.until is null and m.is_doubtful as is_present, m.is_doubtful`

const FOLLOW = `
  update monitors m set state = 'unknown', cause = 'checker-offline', cause_text = ?
  where id = any (?::bigint[]) and state = 'down'
  returning domain_id`

// Results of checks that are under way were judged by the state before, and a worker that records them has read the sums before.
const RECHECK = `
  with held as (
    select s.monitor_id, now() + make_interval(secs => least(m.interval_seconds, ${CONFIRMATION_DELAY_MS / 1_000})) as due_at
    from monitor_schedule s join monitors m on m.id = s.monitor_id
    where s.monitor_id = any (?::bigint[]) and s.due_at is not null order by s.monitor_id for update of s
  )
  update monitor_schedule s
  set due_at = h.due_at, expected_by = h.due_at + interval '${RESULT_EXPECTED_MS} milliseconds',
      lease = null, leased_until = null, streak = 0, streak_since = null
  from held h where s.monitor_id = h.monitor_id`

const WITHDRAW = `
  delete from monitor_notifications
  where monitor_id = any (?::bigint[]) and outcome = 'waiting' and message in ('down', 'up')
    and created_at > now() - make_interval(secs => ?)`

/**
 * Outages that this worker found in the last `sinceMs` milliseconds become unknown, and their notifications that were
 * not sent are withdrawn.
 *
 * @returns the number of monitors
 */
export async function amendDoubtful(knex: Knex, worker: string, sinceMs: number): Promise<number> {
  const seconds = sinceMs / 1_000
  return knex.transaction(async (trx) => {
    const found = await query<{ monitor_id: string }>(trx, DOUBTFUL, [worker, seconds, seconds])
    const held = await holdMonitors(
      trx,
      found.map(({ monitor_id }) => monitor_id),
    )
    if (held.length === 0) return 0
    const amended = await query<{ monitor_id: string; is_present: boolean }>(trx, AMEND, [
      held,
      worker,
      seconds,
      CHECKER_OFFLINE_TEXT,
    ])
    const present = amended
      .filter(({ is_present }) => is_present)
      .map(({ monitor_id }) => monitor_id)
    const changed = await query<{ domain_id: string }>(trx, FOLLOW, [CHECKER_OFFLINE_TEXT, present])
    await query(trx, RECHECK, [held])
    await query(trx, WITHDRAW, [held, seconds])
    await notifyMonitors(
      trx,
      changed.map(({ domain_id }) => domain_id),
    )
    return held.length
  })
}
