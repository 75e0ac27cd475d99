import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { MONITOR_CAUSES, MONITOR_KINDS, MONITOR_LIMITS, MONITOR_STATES } from '../vocabulary.ts'

export const AdminMonitor = record(
  'AdminMonitor',
  {
    id: Id,
    domain_id: Id,
    fqdn: Type.String({ examples: ['home.example.net'] }),
    user_id: Type.String({ description: 'The id of the owner.' }),
    username: Type.String({ description: 'The username of the owner.' }),
    kind: Type.Unsafe<(typeof MONITOR_KINDS)[number] | null>({ enum: [...MONITOR_KINDS, null] }),
    state: Type.Enum([...MONITOR_STATES]),
    state_since: nullable(Time),
    cause: Type.Unsafe<(typeof MONITOR_CAUSES)[number] | null>({ enum: [...MONITOR_CAUSES, null] }),
    interval_seconds: Type.Integer(),
    last_check_at: nullable(Time),
    due_at: nullable(Time),
    is_account_paused: Type.Boolean({
      description: 'Whether an administrator paused all monitors of the account.',
    }),
  },
  'A monitor of any account, for administrators.',
)
export type AdminMonitor = Static<typeof AdminMonitor>

const MonitorWorker = record('MonitorWorker', {
  name: Type.String({ description: 'The host and the process of the worker.' }),
  seen_at: Time,
  lag_ms: Type.Integer({
    description: 'How late checks began in the last minute: the 99th percentile, in milliseconds.',
  }),
  checks_per_minute: Type.Integer(),
  is_blind: Type.Boolean({
    description:
      'Whether its network seems to be down, so that failed checks count as unknown instead of down.',
  }),
})

export const MonitoringStatus = record(
  'MonitoringStatus',
  {
    is_paused: Type.Boolean({ description: 'Whether all monitors are paused.' }),
    reason: nullable(Type.String()),
    paused_at: nullable(Time),
    states: Type.Record(Type.String(), Type.Integer(), {
      description: 'The number of monitors by state.',
    }),
    overdue: Type.Integer({
      description: 'Monitors whose check should have begun more than 30 seconds ago.',
    }),
    oldest_due_at: nullable(Time),
    workers: Type.Array(ref(MonitorWorker), {
      description: 'The workers that were seen in the last minute.',
    }),
  },
  'How monitoring runs.',
)
export type MonitoringStatus = Static<typeof MonitoringStatus>
export { MonitorWorker }

export const MonitoringPause = record('MonitoringPause', {
  is_paused: Type.Boolean(),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MONITOR_LIMITS.pause_reason,
      description: 'Why. Owners read it. Required to pause.',
    }),
  ),
})
export type MonitoringPause = Static<typeof MonitoringPause>
