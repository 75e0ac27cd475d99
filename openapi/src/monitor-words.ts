/** The words of uptime monitoring. Part of `vocabulary.ts`; it imports nothing. */

/** What a monitor does. */
export const MONITOR_KINDS = ['https', 'http', 'tcp', 'dns', 'heartbeat'] as const
export type MonitorKind = (typeof MONITOR_KINDS)[number]

/**
 * - `off`: its owner has not turned it on
 * - `pending`: it looks for what answers, or has no result yet
 * - `undecided`: nothing answered when it was turned on; its owner chooses what it does
 * - `up`, `down`
 * - `unknown`: the service could not check; this time counts neither as up nor as down
 * - `maintenance`: its owner announced maintenance for this time
 * - `stopped`: see `stopped_by`
 */
export const MONITOR_STATES = [
  'off',
  'pending',
  'undecided',
  'up',
  'down',
  'unknown',
  'maintenance',
  'stopped',
] as const
export type MonitorState = (typeof MONITOR_STATES)[number]

/** Why a monitor that its owner turned on does not run. */
export const MONITOR_STOPS = ['plan', 'administrator', 'withheld'] as const
export type MonitorStop = (typeof MONITOR_STOPS)[number]

/** Why a check failed, or why a state is unknown (the last two). */
export const MONITOR_CAUSES = [
  'timeout',
  'refused',
  'unreachable',
  'connection-lost',
  'name-not-resolved',
  'tls-expired',
  'tls-not-yet-valid',
  'tls-untrusted',
  'tls-name-mismatch',
  'tls-failed',
  'status',
  'text-missing',
  'too-many-redirects',
  'invalid-response',
  'target-not-allowed',
  'address-mismatch',
  'no-address',
  'heartbeat-missed',
  'failed',
  'checker-offline',
  'not-checked',
] as const
export type MonitorCause = (typeof MONITOR_CAUSES)[number]

/** Which stored address of the domain a monitor connects to. `auto`: IPv4 if there is one, otherwise IPv6. */
export const MONITOR_FAMILIES = ['auto', 'ipv4', 'ipv6'] as const
export type MonitorFamily = (typeof MONITOR_FAMILIES)[number]

/** What a heartbeat monitor waits for: calls of its URL, or dynamic updates of the domain. */
export const HEARTBEAT_SOURCES = ['url', 'updates'] as const
export type HeartbeatSource = (typeof HEARTBEAT_SOURCES)[number]

/** The width of the parts of a history, in seconds. */
export const HISTORY_RESOLUTIONS = { '5m': 300, '1h': 3_600, '1d': 86_400 } as const
export type HistoryResolution = keyof typeof HISTORY_RESOLUTIONS
/** The maximum number of parts that one call returns. */
export const HISTORY_PARTS_LIMIT = 400

export const MAINTENANCE_REPEATS = ['never', 'daily', 'weekly'] as const
export type MaintenanceRepeat = (typeof MAINTENANCE_REPEATS)[number]

/** What a mail about a monitor says. */
export const MONITOR_MESSAGES = ['down', 'up', 'certificate', 'test'] as const
export type MonitorMessage = (typeof MONITOR_MESSAGES)[number]
/** What became of it. `merged`: it is part of a digest. `skipped`: the monitor recovered, or another mail went out a short time ago. */
export const MESSAGE_OUTCOMES = ['waiting', 'sent', 'merged', 'skipped', 'failed'] as const
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

/** Limits of the settings of a monitor. Times are in seconds. */
export const MONITOR_LIMITS = {
  path: 512,
  body_text: 200,
  expected_status: 60,
  interval_max: 3_600,
  confirmations: 5,
  recoveries: 5,
  certificate_warning_days: 60,
  /** A heartbeat is expected at least this often. */
  heartbeat_period_max: 7 * 86_400,
  heartbeat_grace_max: 86_400,
  maintenance_windows: 20,
  maintenance_note: 200,
  /** Longest window. */
  maintenance_max: 7 * 86_400,
  pause_reason: 500,
} as const

export const ADMIN_MONITOR_SORT = ['id', 'fqdn', 'state', 'state_since', 'due_at'] as const
