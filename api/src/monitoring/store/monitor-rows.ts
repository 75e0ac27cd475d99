/** Writes what changes in `monitors`. The caller holds the rows. */
import type { MonitorCause, MonitorState, MonitorStop } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { MonitorFields } from './judge.ts'

/** Changed fields of a monitor. */
export interface MonitorChange extends Omit<MonitorFields, 'begun'> {
  readonly monitorId: string
  readonly begun?: {
    readonly state: MonitorState
    /** Milliseconds since 1970. */
    readonly since: number
    readonly cause: MonitorCause | null
    readonly causeText: string | null
    readonly stoppedBy?: MonitorStop | null
  }
  readonly intervalSeconds?: number
}

// The version is that of the settings, to which a kind that was found belongs. A transaction updates a monitor only once:
// a second time, PostgreSQL locks its domain, for which a deletion of the domain waits in the other order.
const CHANGE = `
  update monitors m
  set state = coalesce(g.state, m.state),
      state_since = case when g.state is null then m.state_since else g.state_since end,
      cause = case when g.state is null then m.cause else g.cause end,
      cause_text = case when g.state is null then m.cause_text else g.cause_text end,
      stopped_by = case when g.state is null then m.stopped_by else g.stopped_by end,
      kind = coalesce(g.kind, m.kind), port = case when g.kind is null then m.port else g.port end,
      interval_seconds = coalesce(g.interval_seconds, m.interval_seconds),
      version = m.version + (g.kind is not null or g.interval_seconds is not null)::int,
      certificate_expires_at = coalesce(g.certificate_expires_at, m.certificate_expires_at),
      certificate_warned_for = coalesce(g.certificate_warned_for, m.certificate_warned_for)
  from json_to_recordset(?::json) as g(
    id bigint, state text, state_since timestamptz, cause text, cause_text text, stopped_by text, kind text, port int, interval_seconds int,
    certificate_expires_at timestamptz, certificate_warned_for timestamptz)
  where m.id = g.id and m.id = any (?::bigint[])`

/** Changes these fields of monitors, with one statement. */
export async function changeMonitors(
  trx: Knex.Transaction,
  changes: readonly MonitorChange[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(
    ({ monitorId, begun, found, intervalSeconds, certificateExpiresAt, warnedFor }) => ({
      id: monitorId,
      state: begun?.state ?? null,
      state_since: begun === undefined ? null : new Date(begun.since),
      cause: begun?.cause ?? null,
      cause_text: begun?.causeText ?? null,
      stopped_by: begun?.stoppedBy ?? null,
      kind: found?.kind ?? null,
      port: found?.port ?? null,
      interval_seconds: intervalSeconds ?? null,
      certificate_expires_at: certificateExpiresAt ?? null,
      certificate_warned_for: warnedFor ?? null,
    }),
  )
  await query(trx, CHANGE, [JSON.stringify(rows), rows.map(({ id }) => id)])
}
