import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import {
  HEARTBEAT_SOURCES,
  MESSAGE_OUTCOMES,
  MONITOR_CAUSES,
  MONITOR_FAMILIES,
  MONITOR_KINDS,
  MONITOR_LIMITS,
  MONITOR_MESSAGES,
  MONITOR_STATES,
  MONITOR_STOPS,
} from '../vocabulary.ts'

/** One of these words, or null. */
const oneOrNull = <const Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({ enum: [...words, null], description })

const seconds = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** A share of time in percent. */
const percentage = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 100, description, examples: [99.97] }))

export const UptimeSummary = record(
  'UptimeSummary',
  {
    overall_uptime_24h: percentage(
      'Up ÷ (up + down) over the last 24 hours, over the time of all monitors together. Null: there is no data.',
    ),
    uptime_by_hour: Type.Array(percentage('The same over one hour.'), {
      minItems: 24,
      maxItems: 24,
      description:
        'The same over each of the last 24 hours, the oldest first. The last one ends now.',
    }),
    overall_uptime_7d: percentage('The same over the last 7 days.'),
    overall_uptime_30d: percentage('The same over the last 30 days.'),
    domains_monitored: Type.Integer({ description: 'The domains whose monitor is turned on.' }),
    domains_up: Type.Integer(),
    domains_down: Type.Integer(),
  },
  'The monitors of an account.',
)
export type UptimeSummary = Static<typeof UptimeSummary>

export const MonitorSwitch = record('MonitorSwitch', {
  enable: Type.Boolean({ description: 'Whether the domain is monitored.' }),
})
export type MonitorSwitch = Static<typeof MonitorSwitch>

const kind = oneOrNull(
  MONITOR_KINDS,
  '`https`, `http`: sends a request. `tcp`: opens a connection. `dns`: compares what our name servers answer with the registered address. `heartbeat`: waits for a sign of life. Null: not found or chosen yet.',
)

const settings = {
  port: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'The port for `https`, `http` and `tcp`. Null: 443, 80 and 443.',
    }),
  ),
  path: Type.String({
    minLength: 1,
    maxLength: MONITOR_LIMITS.path,
    pattern: '^/',
    description: 'The path and query of the request.',
    examples: ['/health'],
  }),
  expected_status: Type.String({
    minLength: 3,
    maxLength: MONITOR_LIMITS.expected_status,
    description:
      'The statuses that count as up: numbers and ranges, separated by commas. Only for `https` and `http`.',
    examples: ['200-399', '200,401'],
  }),
  follows_redirects: Type.Boolean({
    description:
      'Whether redirects are followed, at most three. Otherwise the status of the redirect counts.',
  }),
  body_text: nullable(
    Type.String({
      minLength: 1,
      maxLength: MONITOR_LIMITS.body_text,
      description: 'A text that the first 256 KiB of the response must contain.',
    }),
  ),
  address_family: Type.Enum([...MONITOR_FAMILIES], {
    description:
      'The stored address to connect to. `auto`: the IPv4 address if there is one, otherwise the IPv6 address.',
  }),
  certificate_warning_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: MONITOR_LIMITS.certificate_warning_days,
      description: 'How many days before a certificate expires a mail is sent. Null: never.',
    }),
  ),
  interval_seconds: seconds(
    1,
    MONITOR_LIMITS.interval_max,
    'The time between two checks. The plan sets the minimum.',
  ),
  confirmations: Type.Integer({
    minimum: 1,
    maximum: MONITOR_LIMITS.confirmations,
    description: 'How many checks in a row must fail until the monitor is down.',
  }),
  recoveries: Type.Integer({
    minimum: 1,
    maximum: MONITOR_LIMITS.recoveries,
    description: 'How many checks in a row must succeed until the monitor is up again.',
  }),
  heartbeat_source: Type.Enum([...HEARTBEAT_SOURCES], {
    description: '`url`: calls of the heartbeat URL. `updates`: dynamic updates of the domain.',
  }),
  heartbeat_period_seconds: seconds(
    30,
    MONITOR_LIMITS.heartbeat_period_max,
    'How often a heartbeat is expected.',
  ),
  heartbeat_grace_seconds: seconds(
    0,
    MONITOR_LIMITS.heartbeat_grace_max,
    'How much later than expected a heartbeat may arrive.',
  ),
  notifies_down: Type.Boolean({ description: 'Whether a mail is sent when the monitor is down.' }),
  notifies_up: Type.Boolean({ description: 'Whether a mail is sent when it is up again.' }),
}

export const Monitor = record(
  'Monitor',
  {
    domain_id: Id,
    fqdn: Type.String({ examples: ['home.example.net'] }),
    is_enabled: Type.Boolean({ description: 'Whether the owner turned the monitor on.' }),
    kind,
    state: Type.Enum([...MONITOR_STATES], {
      description:
        '`pending`: no result yet. `undecided`: nothing answered when the monitor was turned on; choose a kind. `unknown`: the service could not check; this time counts neither as up nor as down. `stopped`: see `stopped_by`.',
    }),
    state_since: nullable(Time),
    stopped_by: oneOrNull(
      MONITOR_STOPS,
      'Why a monitor that is turned on does not run: the plan does not include it, an administrator paused it, or DNS does not serve the domain.',
    ),
    stop_reason: nullable(Type.String({ description: 'The reason of the administrator.' })),
    cause: oneOrNull(MONITOR_CAUSES, 'Why the monitor is down or unknown, as a code.'),
    cause_text: nullable(Type.String({ description: 'The cause, for people.' })),
    last_check_at: nullable(Time),
    last_latency_ms: nullable(Type.Integer({ description: 'Milliseconds until the response.' })),
    certificate_expires_at: nullable(Time),
    last_heartbeat_at: nullable(Time),
    has_heartbeat_token: Type.Boolean(),
    uptime_24h: percentage(
      'Up ÷ (up + down) over the last 24 hours. Null: no data. Unknown time, maintenance and pauses are left out.',
    ),
    uptime_7d: percentage('The same over the last 7 days.'),
    uptime_30d: percentage('The same over the last 30 days.'),
    uptime_90d: percentage('The same over the last 90 days.'),
    ...settings,
    min_interval_seconds: nullable(
      Type.Integer({
        description: 'The shortest interval that the plan allows. Null: the plan has no monitors.',
      }),
    ),
    version: Type.Integer({ description: 'The ETag of the settings.' }),
  },
  'The monitor of a domain.',
)
export type Monitor = Static<typeof Monitor>

export const MonitorChange = record(
  'MonitorChange',
  {
    kind: Type.Optional(Type.Enum([...MONITOR_KINDS])),
    port: Type.Optional(settings.port),
    path: Type.Optional(settings.path),
    expected_status: Type.Optional(settings.expected_status),
    follows_redirects: Type.Optional(settings.follows_redirects),
    body_text: Type.Optional(settings.body_text),
    address_family: Type.Optional(settings.address_family),
    certificate_warning_days: Type.Optional(settings.certificate_warning_days),
    interval_seconds: Type.Optional(settings.interval_seconds),
    confirmations: Type.Optional(settings.confirmations),
    recoveries: Type.Optional(settings.recoveries),
    heartbeat_source: Type.Optional(settings.heartbeat_source),
    heartbeat_period_seconds: Type.Optional(settings.heartbeat_period_seconds),
    heartbeat_grace_seconds: Type.Optional(settings.heartbeat_grace_seconds),
    notifies_down: Type.Optional(settings.notifies_down),
    notifies_up: Type.Optional(settings.notifies_up),
  },
  'Absent fields stay as they are.',
)
export type MonitorChange = Static<typeof MonitorChange>

export const MonitorIncident = record(
  'MonitorIncident',
  {
    id: Id,
    state: Type.Enum(['down', 'unknown']),
    started_at: { ...Time, description: 'The first failed check.' },
    ended_at: nullable(Time),
    duration_seconds: Type.Integer({ description: 'Until now, if it has not ended.' }),
    cause: Type.Enum([...MONITOR_CAUSES]),
    cause_text: Type.String({ description: 'The cause, for people.' }),
  },
  'A time in which a domain was down, or in which the service could not check it.',
)
export type MonitorIncident = Static<typeof MonitorIncident>

export const UptimePart = record('UptimePart', {
  from: Time,
  to: Time,
  up_seconds: Type.Number(),
  down_seconds: Type.Number(),
  unknown_seconds: Type.Number(),
  maintenance_seconds: Type.Number(),
  uptime: percentage('Up ÷ (up + down). Null: no data.'),
  checks: Type.Integer(),
  failures: Type.Integer(),
  latency_ms: nullable(
    Type.Integer({ description: 'The mean latency of the successful checks, in milliseconds.' }),
  ),
})
export type UptimePart = Static<typeof UptimePart>

export const UptimeHistory = record(
  'UptimeHistory',
  {
    from: Time,
    to: Time,
    resolution: Type.Enum(['5m', '1h', '1d']),
    uptime: percentage('Up ÷ (up + down) over the whole time. Null: no data.'),
    parts: Type.Array(ref(UptimePart)),
  },
  'How long a domain was up and down, by parts of time.',
)
export type UptimeHistory = Static<typeof UptimeHistory>

export const MonitorResult = record('MonitorResult', {
  at: Time,
  kind: Type.Enum([...MONITOR_KINDS]),
  is_up: Type.Boolean(),
  address: nullable(Type.String({ description: 'The address that was checked.' })),
  latency_ms: nullable(Type.Integer()),
  status: nullable(Type.Integer({ description: 'The status of the HTTP response.' })),
  cause: oneOrNull(MONITOR_CAUSES, 'Why the check failed. Null: it succeeded.'),
  cause_text: nullable(Type.String()),
})
export type MonitorResult = Static<typeof MonitorResult>

export const MonitorNotification = record(
  'MonitorNotification',
  {
    id: Id,
    message: Type.Enum([...MONITOR_MESSAGES]),
    channel: Type.Enum(['mail']),
    recipient: nullable(
      Type.String({ description: 'Null: no mail was sent.', examples: ['ada@example.net'] }),
    ),
    created_at: Time,
    outcome: Type.Enum([...MESSAGE_OUTCOMES], {
      description:
        '`merged`: part of a mail about several monitors. `skipped`: the monitor recovered before the mail was sent, or another mail was sent a short time ago.',
    }),
    sent_at: nullable(Time),
  },
  'A notification about a monitor.',
)
export type MonitorNotification = Static<typeof MonitorNotification>

export const MonitorEvent = record(
  'MonitorEvent',
  {
    domain_id: Id,
    fqdn: Type.String(),
    is_enabled: Type.Boolean(),
    kind,
    port: nullable(Type.Integer()),
    state: Type.Enum([...MONITOR_STATES]),
    state_since: nullable(Time),
    cause_text: nullable(Type.String()),
  },
  'The state of a monitor has changed.',
)
export type MonitorEvent = Static<typeof MonitorEvent>
