/** The monitors of domains (table `monitors`), at most one for each domain. Their schedule is a table of its own. */
import type {
  HeartbeatSource,
  MonitorCause,
  MonitorFamily,
  MonitorKind,
  MonitorState,
  MonitorStop,
} from '@homing/openapi/vocabulary'
import { bigint, boolean, bytea, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { Domain } from './domain.ts'
import { belongsTo, ownedBy, type Row, table } from './table.ts'
import { User } from './user.ts'

export class Monitor extends table('monitors', {
  id: bigint,
  domain_id: bigint,
  user_id: bigint,
  /** Whether its owner has it turned on. */
  is_enabled: boolean,
  /** Null: not found or chosen yet. */
  kind: nullable(textOf<MonitorKind>()),
  port: nullable(integer),
  path: text,
  expected_status: text,
  follows_redirects: boolean,
  body_text: nullable(text),
  address_family: textOf<MonitorFamily>(),
  certificate_warning_days: nullable(integer),
  interval_seconds: integer,
  confirmations: integer,
  recoveries: integer,
  heartbeat_source: textOf<HeartbeatSource>(),
  heartbeat_period_seconds: integer,
  heartbeat_grace_seconds: integer,
  /** SHA-256. */
  heartbeat_token_hash: nullable(bytea),
  notifies_down: boolean,
  notifies_up: boolean,
  state: textOf<MonitorState>(),
  state_since: timestamptz,
  stopped_by: nullable(textOf<MonitorStop>()),
  /** Of the states down and unknown. */
  cause: nullable(textOf<MonitorCause>()),
  cause_text: nullable(text),
  certificate_expires_at: nullable(timestamptz),
  /** The expiry for which the owner was warned. */
  certificate_warned_for: nullable(timestamptz),
  created_at: timestamptz,
  version: integer,
}) {
  declare owner?: User
  declare domain?: Domain
  static override readonly relationMappings = () => ({
    owner: belongsTo(User, 'monitors.user_id'),
    domain: belongsTo(Domain, 'monitors.domain_id'),
  })

  static override readonly modifiers = { ownedBy }
}

/** A plain row of `monitors`. */
export type MonitorRow = Row<typeof Monitor>
