/** What owners and their devices say about a monitored domain: maintenance and heartbeats. */
import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { MAINTENANCE_REPEATS, MONITOR_LIMITS } from '../vocabulary.ts'

const windowFields = {
  starts_at: Time,
  ends_at: Time,
  repeats: Type.Enum([...MAINTENANCE_REPEATS]),
  time_zone: Type.String({
    maxLength: 64,
    description:
      'The IANA time zone in which a repeated window keeps its time of day when clocks change.',
    examples: ['Europe/Vienna'],
  }),
  note: nullable(Type.String({ maxLength: MONITOR_LIMITS.maintenance_note })),
}

export const MaintenanceWindow = record(
  'MaintenanceWindow',
  {
    id: Id,
    ...windowFields,
    next_starts_at: nullable({
      ...Time,
      description: 'The start of the current or next window. Null: it is over.',
    }),
  },
  'A time in which a domain is not checked and no mail is sent.',
)
export type MaintenanceWindow = Static<typeof MaintenanceWindow>

export const NewMaintenanceWindow = record('NewMaintenanceWindow', {
  starts_at: windowFields.starts_at,
  ends_at: windowFields.ends_at,
  repeats: Type.Optional(windowFields.repeats),
  time_zone: Type.Optional(windowFields.time_zone),
  note: Type.Optional(windowFields.note),
})
export type NewMaintenanceWindow = Static<typeof NewMaintenanceWindow>

export const HeartbeatToken = record(
  'HeartbeatToken',
  {
    token: Type.String({ description: 'Shown only once.', examples: ['hb_4mTq9zX…'] }),
    url: Type.String({ description: 'The URL that the device calls.' }),
  },
  'The secret of a heartbeat URL.',
)
export type HeartbeatToken = Static<typeof HeartbeatToken>
