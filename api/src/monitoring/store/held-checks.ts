/*
 * Locks of monitoring, in one order: rows of `monitors`, then rows of `monitor_schedule`, each by id.
 *
 * Results are recorded for thousands of monitors a minute, mostly without a change of state. Recording locks the
 * schedule first and a monitor only if it changes; it skips a monitor that somebody else holds instead of waiting for
 * it. So no transaction that waits for a schedule is waited for by one that holds it.
 */
import type { MonitorKind } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { CheckedState } from '../../rules/monitor-state.ts'
import type { PresentInterval } from '../../rules/monitor-intervals.ts'
import { ascending } from './ascending.ts'
import type { CheckResult } from './check-result.ts'
import { PRESENT_COLUMNS, presentOf, type PresentColumns } from './interval-rows.ts'

/** A claimed monitor whose schedule is locked. Times are milliseconds since 1970. */
export interface HeldCheck {
  readonly monitor_id: string
  readonly lease: string
  readonly domain_id: string
  readonly user_id: string
  readonly fqdn: string
  /** Whether DNS serves the domain. */
  readonly is_active: boolean
  readonly kind: MonitorKind | null
  readonly state: CheckedState
  readonly interval_seconds: number
  readonly confirmations: number
  readonly recoveries: number
  readonly notifies_down: boolean
  readonly notifies_up: boolean
  readonly certificate_warning_days: number | null
  readonly certificate_expires_at: Date | null
  readonly certificate_warned_for: Date | null
  readonly due_ms: number
  readonly expected_ms: number
  readonly streak: number
  readonly streak_since_ms: number | null
  /** Number of checks so far. */
  readonly checks: number
  readonly now_ms: number
  readonly present: PresentInterval | null
}

const HOLD = `
  select s.monitor_id, s.lease, m.domain_id, m.user_id, d.fqdn, d.is_active, m.kind, m.state, m.interval_seconds,
         m.confirmations, m.recoveries, m.notifies_down, m.notifies_up, m.certificate_warning_days,
         m.certificate_expires_at, m.certificate_warned_for,
         (extract(epoch from s.due_at) * 1000)::double precision as due_ms,
         (extract(epoch from s.expected_by) * 1000)::double precision as expected_ms,
         s.streak, (extract(epoch from s.streak_since) * 1000)::double precision as streak_since_ms,
         s.checks::double precision as checks,
         floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms, ${PRESENT_COLUMNS}
  from monitor_schedule s
  join monitors m on m.id = s.monitor_id
  join domains d on d.id = m.domain_id
  left join monitor_intervals i on i.monitor_id = s.monitor_id and i.until is null
  where s.monitor_id = any (?::bigint[]) and s.lease = any (?::uuid[]) and s.due_at is not null
  order by s.monitor_id for update of s`

/**
 * Locks the monitors whose claims have not ended. A change of a monitor ends its claim, so what this reads is current. A
 * monitor can have a later one of these claims: compare its lease.
 */
export async function holdChecks(
  trx: Knex.Transaction,
  claims: readonly Pick<CheckResult, 'monitorId' | 'lease'>[],
): Promise<HeldCheck[]> {
  const rows = await query<Omit<HeldCheck, 'present'> & PresentColumns>(trx, HOLD, [
    ascending(claims.map(({ monitorId }) => monitorId)),
    [...new Set(claims.map(({ lease }) => lease))],
  ])
  return rows.map((row) => ({ ...row, present: presentOf(row) }))
}

/** Locks monitors, before their schedules. @returns their ids */
export async function holdMonitors(
  trx: Knex.Transaction,
  monitorIds: readonly string[],
): Promise<string[]> {
  if (monitorIds.length === 0) return []
  const rows = await query<{ id: string }>(
    trx,
    'select id from monitors where id = any (?::bigint[]) order by id for no key update',
    [ascending(monitorIds)],
  )
  return rows.map(({ id }) => id)
}

/** Locks those monitors that nobody else holds. @returns their ids */
export async function holdFreeMonitors(
  trx: Knex.Transaction,
  monitorIds: readonly string[],
): Promise<Set<string>> {
  if (monitorIds.length === 0) return new Set()
  const rows = await query<{ id: string }>(
    trx,
    'select id from monitors where id = any (?::bigint[]) order by id for no key update skip locked',
    [ascending(monitorIds)],
  )
  return new Set(rows.map(({ id }) => id))
}
