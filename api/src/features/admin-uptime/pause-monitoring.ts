/** Administrators pause monitoring, for one account or for all, and read its status. */
import type { MonitoringPause, MonitoringStatus } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { settleMonitors } from '../../monitoring/store/run-monitors.ts'
import { notFound } from '../../rules/errors.ts'
import { parseReason } from '../../rules/owner-texts.ts'

const STATES = 'select state, count(*)::int as count from monitors group by state order by state'

/** A check is overdue when it should have begun this long ago. */
const OVERDUE_SECONDS = 30
const DUE = `
  select count(*) filter (where due_at < now() - interval '${OVERDUE_SECONDS} s')::int as overdue, min(due_at) as oldest_due_at
  from monitor_schedule where due_at is not null`

const WORKERS = `
  select name, seen_at, lag_ms, checks_per_minute, is_blind
  from monitor_workers where seen_at > now() - interval '1 minute' order by name`

interface WorkerRow {
  readonly name: string
  readonly seen_at: Date
  readonly lag_ms: number
  readonly checks_per_minute: number
  readonly is_blind: boolean
}

/** How monitoring runs. */
export async function monitoringStatus(knex: Knex): Promise<MonitoringStatus> {
  const [[pause], states, [due], workers] = await Promise.all([
    query<{ paused_at: Date | null; pause_reason: string | null }>(
      knex,
      'select paused_at, pause_reason from monitoring',
    ),
    query<{ state: string; count: number }>(knex, STATES),
    query<{ overdue: number; oldest_due_at: Date | null }>(knex, DUE),
    query<WorkerRow>(knex, WORKERS),
  ])
  const paused_at = pause?.paused_at ?? null
  return {
    is_paused: paused_at !== null,
    reason: pause?.pause_reason ?? null,
    paused_at: paused_at?.toISOString() ?? null,
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    overdue: due?.overdue ?? 0,
    oldest_due_at: due?.oldest_due_at?.toISOString() ?? null,
    workers: workers.map((worker) => ({ ...worker, seen_at: worker.seen_at.toISOString() })),
  }
}

/** The reason, on one line; null to resume. @throws Refusal `validation-failed` */
const reasonOf = ({ is_paused, reason }: MonitoringPause): string | null =>
  is_paused ? parseReason(reason, 'Enter a reason. It is shown to the owners.') : null

/** Pauses or resumes all monitors. A second pause only replaces the reason. @throws Refusal `validation-failed` */
export async function pauseMonitoring(knex: Knex, pause: MonitoringPause): Promise<void> {
  const reason = reasonOf(pause)
  await query(
    knex,
    `update monitoring set pause_reason = ?::text, paused_at = case when ?::text is not null then coalesce(paused_at, now()) end`,
    [reason, reason],
  )
}

/**
 * Pauses or resumes the monitors of an account.
 *
 * @returns what was set
 * @throws Refusal `not-found`, `validation-failed`
 */
export async function pauseAccountMonitoring(
  knex: Knex,
  userId: string,
  pause: MonitoringPause,
): Promise<MonitoringPause> {
  const reason = reasonOf(pause)
  await knex.transaction(async (trx) => {
    if ((await lockAccount(trx, userId)) === undefined) throw notFound('account')
    await query(
      trx,
      `update users set monitoring_pause_reason = ?::text,
         monitoring_paused_at = case when ?::text is not null then coalesce(monitoring_paused_at, now()) end
       where id = ?`,
      [reason, reason, userId],
    )
    await settleMonitors(trx, { userIds: [userId] })
  })
  return reason === null ? { is_paused: false } : { is_paused: true, reason }
}
