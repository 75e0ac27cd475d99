/**
 * Decides whether monitors run. A monitor runs if its owner has turned it on, no administrator has paused it, the plan of
 * the account includes it and DNS serves its domain. This is computed from the present rows, so a change of any of them
 * needs no code of its own: the worker settles all differences every few seconds.
 */
import type { MonitorState, MonitorStop } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { holdFreeMonitors, holdMonitors } from './held-checks.ts'
import { PRESENT_COLUMNS, presentOf, type PresentColumns, writeMoves } from './interval-rows.ts'
import { notifyMonitors } from './live-channel.ts'
import { changeMonitors, type MonitorChange } from './monitor-rows.ts'
import { firstDueAt, reschedule } from './schedule-rows.ts'

/** Monitors that one transaction of the worker settles. */
const SETTLED_AT_ONCE = 500

const WANTED = `
  from monitors m
  join users u on u.id = m.user_id
  join plans p on p.account_type = u.account_type
  join domains d on d.id = m.domain_id
  cross join monitoring g
  cross join lateral (
    select case when g.paused_at is not null or u.monitoring_paused_at is not null then 'administrator'
                when not 'uptime' = any (p.abilities) then 'plan'
                when not d.is_active then 'withheld' end as stop
  ) as of`

const DIFFERS = `
  case when not m.is_enabled then m.state <> 'off'
       when of.stop is not null then m.stopped_by is distinct from of.stop
       else m.state in ('off', 'stopped') or (m.state = 'undecided' and m.kind is not null)
            or m.interval_seconds < p.monitor_interval end`

interface Differing extends PresentColumns {
  readonly monitor_id: string
  readonly domain_id: string
  readonly is_enabled: boolean
  readonly stop: MonitorStop | null
  readonly state: MonitorState
  readonly interval_seconds: number
  readonly min_interval_seconds: number
  readonly now_ms: number
}

const READ = `
  select m.id as monitor_id, m.domain_id, m.is_enabled, of.stop, m.state, m.interval_seconds,
         p.monitor_interval as min_interval_seconds,
         floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms, ${PRESENT_COLUMNS}
  ${WANTED}
  left join monitor_intervals i on i.monitor_id = m.id and i.until is null
  where m.id = any (?::bigint[]) and ${DIFFERS}
  order by m.id`

/** Whose monitors. */
export type Whose =
  | { readonly userIds: readonly string[] }
  | { readonly domainIds: readonly string[] }

/**
 * Starts and stops monitors as they should, and raises intervals to the minimum of the plan. The caller changed something
 * that decides about these monitors, in the same transaction.
 *
 * @returns the number of monitors that changed
 */
export async function settleMonitors(trx: Knex.Transaction, whose: Whose): Promise<number> {
  const [column, ids] =
    'userIds' in whose
      ? (['user_id', whose.userIds] as const)
      : (['domain_id', whose.domainIds] as const)
  const rows = await query<{ id: string }>(
    trx,
    `select m.id ${WANTED} where m.${column} = any (?::bigint[]) and ${DIFFERS}`,
    [ids],
  )
  return settleHeld(
    trx,
    await holdMonitors(
      trx,
      rows.map(({ id }) => id),
    ),
  )
}

/** Settles all monitors that differ, in small transactions. Skips those that somebody else is changing. */
export async function settleAllMonitors(knex: Knex): Promise<number> {
  let settled = 0
  for (let after: string | undefined = '0'; after !== undefined;) {
    const rows: { id: string }[] = await query<{ id: string }>(
      knex,
      `select m.id ${WANTED} where m.id > ? and ${DIFFERS} order by m.id limit ${SETTLED_AT_ONCE}`,
      [after],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) {
      settled += await knex.transaction(async (trx) =>
        settleHeld(trx, [...(await holdFreeMonitors(trx, ids))]),
      )
    }
    after = ids.length === SETTLED_AT_ONCE ? ids.at(-1) : undefined
  }
  return settled
}

async function settleHeld(trx: Knex.Transaction, held: readonly string[]): Promise<number> {
  if (held.length === 0) return 0
  const rows = await query<Differing>(trx, READ, [held])
  const starting = rows.filter((row) => runs(row) && !isRunning(row))
  const stopping = rows.filter((row) => !runs(row))
  await writeMoves(
    trx,
    stopping.map((row) => ({
      monitor_id: row.monitor_id,
      present: presentOf(row),
      moves: [{ state: 'off', since: row.now_ms, cause: null, causeText: null }],
    })),
    null,
  )
  await changeMonitors(
    trx,
    rows.map((row) => ({ monitorId: row.monitor_id, ...stateOf(row), ...intervalOf(row) })),
  )
  await reschedule(trx, [
    ...starting.map((row) => ({
      monitor_id: row.monitor_id,
      dueAt: firstDueAt(row, starting.length),
      isStart: true,
    })),
    ...stopping.map(({ monitor_id }) => ({ monitor_id, dueAt: null, isStart: false })),
  ])
  await notifyMonitors(
    trx,
    rows.map(({ domain_id }) => domain_id),
  )
  return rows.length
}

const runs = ({ is_enabled, stop }: Differing) => is_enabled && stop === null

const isRunning = ({ state }: Differing) => !['off', 'stopped', 'undecided'].includes(state)

/** The state of a monitor that starts or stops. */
function stateOf(row: Differing): Pick<MonitorChange, 'begun'> {
  if (runs(row) && isRunning(row)) return {}
  const stoppedBy = row.is_enabled ? row.stop : null
  const stopped = stoppedBy === null ? 'off' : 'stopped'
  const state = runs(row) ? 'pending' : stopped
  return { begun: { state, since: row.now_ms, cause: null, causeText: null, stoppedBy } }
}

/** The interval of a monitor that is checked more often than its plan allows. */
function intervalOf(row: Differing): Pick<MonitorChange, 'intervalSeconds'> {
  const isBelow = runs(row) && row.interval_seconds < row.min_interval_seconds
  return isBelow ? { intervalSeconds: row.min_interval_seconds } : {}
}

/**
 * Checks monitors at once, because their settings changed. The results of checks that are under way are dropped, and a
 * confirmation begins again. Monitors that do not run stay as they are. Call `settleMonitors` before.
 *
 * @param isStart whether a heartbeat before now is not missed
 */
export async function recheck(
  trx: Knex.Transaction,
  domainIds: readonly string[],
  isStart = false,
): Promise<void> {
  const rows = await query<{ id: string; now_ms: number }>(
    trx,
    `select m.id, floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms
     from monitors m join monitor_schedule s on s.monitor_id = m.id
     where m.domain_id = any (?::bigint[]) and s.due_at is not null
     order by m.id for no key update of m`,
    [domainIds],
  )
  await reschedule(
    trx,
    rows.map(({ id, now_ms }) => ({ monitor_id: id, dueAt: now_ms, isStart })),
  )
}
