/** Monitors as their owners see them: with the domain, the schedule and the plan. */
import type { Monitor } from '@homing/openapi'
import type { MonitorCause, MonitorState, MonitorStop } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { durationsUntilNow } from '../../monitoring/store/durations.ts'
import { notFound } from '../../rules/errors.ts'
import { type Reach, scopeHolds } from '../../rules/key-scope.ts'
import {
  defaultSettings,
  type MonitorSettings,
  SETTING_NAMES,
  settingsOf,
} from '../../rules/monitor-settings.ts'
import { NO_TIME, type StateSums, uptimeOf } from '../../rules/uptime.ts'

/** What the plan says, and the domain, also of a domain that was never monitored. */
interface DomainPart {
  readonly domain_id: string
  readonly fqdn: string
  /** The shortest interval of the plan, in seconds. */
  readonly monitor_interval: number
  readonly abilities: readonly string[]
  /** The reason of an administrator who paused all monitors, or those of the account. */
  readonly pause_reason: string | null
}

interface MonitorPart extends MonitorSettings {
  readonly id: string
  readonly is_enabled: boolean
  readonly state: MonitorState
  readonly state_since: Date
  readonly stopped_by: MonitorStop | null
  readonly cause: MonitorCause | null
  readonly cause_text: string | null
  readonly certificate_expires_at: Date | null
  readonly has_heartbeat_token: boolean
  readonly version: number
  readonly last_check_at: Date | null
  readonly last_latency_ms: number | null
  readonly last_heartbeat_at: Date | null
}

const NO_MONITOR = { id: null } as const
export type ShownMonitor = DomainPart & (MonitorPart | typeof NO_MONITOR)

const SHOWN = `
  select d.id as domain_id, d.fqdn, p.monitor_interval, p.abilities, coalesce(g.pause_reason, u.monitoring_pause_reason) as pause_reason,
         m.id, m.is_enabled, m.state, m.state_since, m.stopped_by, m.cause, m.cause_text, m.certificate_expires_at,
         m.heartbeat_token_hash is not null as has_heartbeat_token, m.version,
         s.last_check_at, s.last_latency_ms, s.last_heartbeat_at, ${SETTING_NAMES.map((name) => `m.${name}`).join(', ')}
  from domains d
  join users u on u.id = d.user_id
  join plans p on p.account_type = u.account_type
  cross join monitoring g
  left join monitors m on m.domain_id = d.id
  left join monitor_schedule s on s.monitor_id = m.id
  where d.user_id = ?`

/**
 * The monitor of the caller's domain.
 *
 * @throws Refusal `not-found`
 */
export async function findMonitor(
  db: Knex,
  { userId, scope }: Reach,
  domainId: string,
): Promise<ShownMonitor> {
  const sql = `${SHOWN} and d.id = ?`
  const [row] = await query<ShownMonitor>(db, sql, [userId, domainId], 'monitor-of-domain')
  if (row === undefined || (scope !== undefined && !scopeHolds(scope, row.fqdn))) {
    throw notFound('domain')
  }
  return row
}

/** The monitors that the caller reaches and has turned on, by domain. */
export async function listMonitors(db: Knex, { userId, scope }: Reach): Promise<ShownMonitor[]> {
  const sql = `${SHOWN} and m.is_enabled order by d.fqdn`
  const rows = await query<ShownMonitor>(db, sql, [userId], 'monitors-of-account')
  return scope === undefined ? rows : rows.filter(({ fqdn }) => scopeHolds(scope, fqdn))
}

const DAY_MS = 86_400_000
const SPANS_MS = [1, 7, 30, 90].map((days) => days * DAY_MS)

type Uptimes = Pick<Monitor, 'uptime_24h' | 'uptime_7d' | 'uptime_30d' | 'uptime_90d'>

/** The percentages from the times of `SPANS_MS`. */
function uptimesOf(spans: readonly StateSums[] = []): Uptimes {
  const [day, week, month, quarter] = SPANS_MS.map((_, n) => uptimeOf(spans[n] ?? NO_TIME))
  return {
    uptime_24h: day ?? null,
    uptime_7d: week ?? null,
    uptime_30d: month ?? null,
    uptime_90d: quarter ?? null,
  }
}

const NEVER_MONITORED = {
  is_enabled: false,
  state: 'off',
  state_since: null,
  stopped_by: null,
  stop_reason: null,
  cause: null,
  cause_text: null,
  last_check_at: null,
  last_latency_ms: null,
  certificate_expires_at: null,
  last_heartbeat_at: null,
  has_heartbeat_token: false,
  version: 1,
} as const

function stateOf(
  row: MonitorPart & DomainPart,
): Omit<
  Monitor,
  keyof Uptimes | keyof MonitorSettings | 'domain_id' | 'fqdn' | 'min_interval_seconds'
> {
  const { is_enabled, state, stopped_by, cause, cause_text, last_latency_ms, version } = row
  return {
    is_enabled,
    state,
    state_since: row.state_since.toISOString(),
    stopped_by,
    stop_reason: stopped_by === 'administrator' ? row.pause_reason : null,
    cause,
    cause_text,
    last_check_at: row.last_check_at?.toISOString() ?? null,
    last_latency_ms,
    certificate_expires_at: row.certificate_expires_at?.toISOString() ?? null,
    last_heartbeat_at: row.last_heartbeat_at?.toISOString() ?? null,
    has_heartbeat_token: row.has_heartbeat_token,
    version,
  }
}

/** Monitors as JSON, with their percentages. */
export async function monitorBodies(
  db: Knex,
  rows: readonly ShownMonitor[],
  now: Date,
): Promise<Monitor[]> {
  const ids = rows.map(({ id }) => id).filter((id) => id !== null)
  const durations = await durationsUntilNow(db, ids, now, SPANS_MS)
  return rows.map((row) => {
    const { domain_id, fqdn, monitor_interval, abilities } = row
    return {
      domain_id,
      fqdn,
      ...(row.id === null ? NEVER_MONITORED : stateOf(row)),
      ...uptimesOf(durations.get(row.id ?? '')),
      ...settingsOf(row.id === null ? defaultSettings(monitor_interval) : row),
      min_interval_seconds: abilities.includes('uptime') ? monitor_interval : null,
    }
  })
}
