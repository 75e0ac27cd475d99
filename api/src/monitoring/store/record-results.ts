/**
 * Records the results of checks: one transaction, and the same number of statements for any number of results. The lease
 * decides who records a check; a result whose lease has ended is dropped.
 */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { confirmationDelayMs, RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'
import { announce, type Announcement } from './announcements.ts'
import type { CheckResult, Recorder, Transition } from './check-result.ts'
import { type HeldCheck, holdChecks, holdFreeMonitors } from './held-checks.ts'
import { writeMoves } from './interval-rows.ts'
import { believed, judge, type Judgement, postponed } from './judge.ts'
import { changeMonitors } from './monitor-rows.ts'
import { notifyMonitors } from './live-channel.ts'

/** Number of results that are kept of each monitor. */
const RESULTS_KEPT = 100

/** The widest gap that a count of results covers. */
const COUNTED = '5 minutes'

interface Recorded {
  readonly held: HeldCheck
  readonly result: CheckResult
  readonly judgement: Judgement
}

// One statement for what every check writes.
const WRITE = `
  with given as materialized (
    select * from json_to_recordset(?::json) as g(
      monitor_id bigint, due_at timestamptz, expected_by timestamptz, streak smallint, streak_since timestamptz,
      at timestamptz, is_gap boolean, is_stored boolean, is_counted boolean, is_up boolean, place smallint, kind text, address inet,
      latency_ms int, status smallint, cause text, cause_text text)
  ), scheduled as (
    update monitor_schedule s
    set due_at = g.due_at, expected_by = g.expected_by, lease = null, leased_until = null, streak = g.streak,
        streak_since = g.streak_since, started_at = case when g.is_gap then now() else s.started_at end,
        last_check_at = case when g.is_stored then g.at else s.last_check_at end,
        last_latency_ms = case when g.is_stored then g.latency_ms else s.last_latency_ms end,
        checks = s.checks + g.is_stored::int
    from given g where s.monitor_id = g.monitor_id and s.monitor_id = any (?::bigint[])
  ), kept as (
    insert into monitor_results as r (monitor_id, place, at, kind, is_up, address, latency_ms, status, cause, cause_text)
    select monitor_id, place, at, kind, is_up, address, latency_ms, status, cause, cause_text
    from given where is_stored
    on conflict (monitor_id, place) do update set
      at = excluded.at, kind = excluded.kind, is_up = excluded.is_up, address = excluded.address,
      latency_ms = excluded.latency_ms, status = excluded.status, cause = excluded.cause, cause_text = excluded.cause_text
  )
  insert into monitor_counts as c (monitor_id, starts_at, checks, failures, latency_sum_ms)
  select monitor_id, date_bin('${COUNTED}', at, 'epoch'), 1, (not is_up)::int,
         case when is_up then coalesce(latency_ms, 0) else 0 end
  from given where is_counted order by 1, 2
  on conflict (monitor_id, starts_at) do update set
    checks = c.checks + 1, failures = c.failures + excluded.failures,
    latency_sum_ms = c.latency_sum_ms + excluded.latency_sum_ms`

/**
 * Records results. Those of claims that have ended are dropped: somebody changed the monitor, or the check was claimed
 * again.
 *
 * @returns the changes of state
 */
export async function recordResults(
  knex: Knex,
  recorder: Recorder,
  results: readonly CheckResult[],
): Promise<Transition[]> {
  if (results.length === 0) return []
  return knex.transaction((trx) => recordIn(trx, recorder, results))
}

async function recordIn(
  trx: Knex.Transaction,
  { worker, intervalSeconds }: Recorder,
  results: readonly CheckResult[],
): Promise<Transition[]> {
  const resultOf = new Map(results.map((result) => [result.lease + result.monitorId, result]))
  const checks = await holdChecks(trx, results)
  const judged = checks.flatMap((held): Recorded[] => {
    const given = resultOf.get(held.lease + held.monitor_id)
    if (given === undefined) return []
    const result = believed(held, given)
    return [{ held, result, judgement: judge(held, result, intervalSeconds) }]
  })
  const free = await holdFreeMonitors(
    trx,
    judged.filter(touchesMonitor).map(({ held }) => held.monitor_id),
  )
  const recorded = judged.map((each) => {
    if (!touchesMonitor(each) || free.has(each.held.monitor_id)) return each
    const { held, judgement } = each
    const delayMs = confirmationDelayMs((intervalSeconds ?? held.interval_seconds) * 1_000)
    return {
      held,
      result: { ...each.result, outcome: null },
      judgement: postponed(held, judgement.at, delayMs),
    }
  })
  if (recorded.length === 0) return []
  await query(trx, WRITE, [
    JSON.stringify(recorded.map(rowOf)),
    recorded.map(({ held }) => held.monitor_id),
  ])
  return changeStates(trx, worker, recorded)
}

const isChange = ({ judgement: { fields } }: Recorded) => Object.keys(fields).length > 0

/** Whether the row of the monitor is changed, or referred to by a new row. */
const touchesMonitor = (each: Recorded) => isChange(each) || each.held.checks < RESULTS_KEPT

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

function rowOf({ held, result, judgement }: Recorded) {
  const { dueAt, streak, streakSince, at, isGap } = judgement
  const isStored = result.outcome !== null && held.is_active
  return {
    monitor_id: held.monitor_id,
    due_at: iso(dueAt),
    expected_by: dueAt === null ? null : iso(dueAt + RESULT_EXPECTED_MS),
    streak,
    streak_since: iso(streakSince),
    at: iso(at),
    is_gap: isGap,
    is_stored: isStored,
    is_counted: isStored && result.outcome !== 'unknown' && result.found !== null,
    is_up: result.outcome === 'up',
    place: held.checks % RESULTS_KEPT,
    kind: result.kind,
    address: result.address,
    latency_ms: result.latencyMs === null ? null : Math.round(result.latencyMs),
    status: result.status,
    cause: result.outcome === 'unknown' ? (result.cause ?? 'checker-offline') : result.cause,
    cause_text: result.causeText,
  }
}

/** Writes what changed besides the schedule: intervals, monitors, notifications, and the news for live streams. */
async function changeStates(
  trx: Knex.Transaction,
  worker: string,
  recorded: readonly Recorded[],
): Promise<Transition[]> {
  const changed = recorded.filter(isChange)
  if (changed.length === 0) return []
  const moved = changed.map(({ held, judgement: { moves } }) => ({
    monitor_id: held.monitor_id,
    present: held.present,
    moves,
  }))
  const present = await writeMoves(trx, moved, worker)
  await changeMonitors(
    trx,
    changed.map(({ held, judgement }) => ({ monitorId: held.monitor_id, ...judgement.fields })),
  )
  await announce(
    trx,
    changed.flatMap((each) => announcementsOf(each, present)),
  )
  const transitions = changed.flatMap(transitionOf)
  await notifyMonitors(
    trx,
    transitions.map(({ domainId }) => domainId),
  )
  return transitions
}

function announcementsOf(
  { held, judgement }: Recorded,
  present: ReadonlyMap<string, string>,
): Announcement[] {
  return judgement.announced.map(({ message, subject, delayMs }) => {
    const intervalId = present.get(held.monitor_id) ?? null
    return {
      monitor_id: held.monitor_id,
      user_id: held.user_id,
      message,
      interval_id: subject === undefined ? intervalId : null,
      subject: subject ?? intervalId,
      due_at: new Date(held.now_ms + delayMs),
    }
  })
}

function transitionOf({ held, judgement }: Recorded): Transition[] {
  const { begun } = judgement.fields
  if (begun === undefined) return []
  const { monitor_id, domain_id, user_id, fqdn, state } = held
  return [
    {
      monitorId: monitor_id,
      domainId: domain_id,
      userId: user_id,
      fqdn,
      from: state,
      to: begun.state,
      since: new Date(begun.since),
      cause: begun.cause,
    },
  ]
}
