/** What workers read and write: due monitors, results of checks, and the changes of state that they cause. */
import type {
  HeartbeatSource,
  MonitorCause,
  MonitorFamily,
  MonitorKind,
  MonitorState,
} from '@homing/openapi/vocabulary'
import type { CheckedState, CheckOutcome } from '../../rules/monitor-state.ts'

/** A monitor to check now, with everything that the check needs. */
export interface DueMonitor {
  readonly id: string
  readonly domain_id: string
  readonly user_id: string
  readonly fqdn: string
  readonly record_ipv4: string | null
  readonly record_ipv6: string | null
  readonly is_forwarded: boolean
  /** What DNS should answer; null: the kind is not `dns`. */
  readonly published: readonly string[] | null
  /** Null: the worker looks for what answers, and reports it as `found`. */
  readonly kind: MonitorKind | null
  readonly port: number | null
  readonly path: string
  readonly expected_status: string
  readonly follows_redirects: boolean
  readonly body_text: string | null
  readonly address_family: MonitorFamily
  readonly heartbeat_source: HeartbeatSource
  readonly heartbeat_period_seconds: number
  readonly heartbeat_grace_seconds: number
  /** Milliseconds since the last heartbeat of its source, which can be older than the run; null: there was none. */
  readonly heartbeat_age_ms: number | null
  /** Milliseconds since it began to expect heartbeats: it began to run, or went on after maintenance or a gap. */
  readonly running_ms: number
  readonly state: CheckedState
  readonly streak: number
  /** How late this check is, in milliseconds. */
  readonly lag_ms: number
}

/** The result of one check. */
export interface CheckResult {
  readonly monitorId: string
  /** The UUID of the claim. */
  readonly lease: string
  /** `unknown`: it failed, but the worker cannot trust its network. Null: nothing can be said yet; nothing is stored. */
  readonly outcome: CheckOutcome | null
  /** Milliseconds since the check began, by a monotonic clock. */
  readonly ageMs: number
  readonly kind: MonitorKind
  readonly address: string | null
  readonly latencyMs: number | null
  readonly status: number | null
  readonly cause: MonitorCause | null
  /** The cause, for people. */
  readonly causeText: string | null
  /** Absent: the check saw no certificate. */
  readonly certificateExpiresAt?: Date
  /** For a monitor without a kind: what answered; null: nothing did, and the owner chooses. Absent: it is not known. */
  readonly found?: { readonly kind: MonitorKind; readonly port: number | null } | null
}

/** A change of state that was stored. */
export interface Transition {
  readonly monitorId: string
  readonly domainId: string
  readonly userId: string
  readonly fqdn: string
  readonly from: MonitorState
  readonly to: MonitorState
  readonly since: Date
  readonly cause: MonitorCause | null
}

/** A worker that records, and how often monitors are checked. */
export interface Recorder {
  /** The name of the worker. */
  readonly worker: string
  /** MONITOR_INTERVAL: overrides the intervals of all monitors, in seconds. */
  readonly intervalSeconds?: number | undefined
}
