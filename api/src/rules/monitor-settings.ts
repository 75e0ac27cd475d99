/** The settings of a monitor: what applies by default, and what an owner may set. */
import type { HeartbeatSource, MonitorFamily, MonitorKind } from '@homing/openapi/vocabulary'
import { invalid } from './errors.ts'
import { parseExpectedStatus } from './expected-status.ts'

export interface MonitorSettings {
  /** Null: not found or chosen yet. */
  readonly kind: MonitorKind | null
  readonly port: number | null
  readonly path: string
  readonly expected_status: string
  readonly follows_redirects: boolean
  readonly body_text: string | null
  readonly address_family: MonitorFamily
  readonly certificate_warning_days: number | null
  readonly interval_seconds: number
  readonly confirmations: number
  readonly recoveries: number
  readonly heartbeat_source: HeartbeatSource
  readonly heartbeat_period_seconds: number
  readonly heartbeat_grace_seconds: number
  readonly notifies_down: boolean
  readonly notifies_up: boolean
}

/** The settings that a change gives; absent ones stay as they are. A kind can be chosen, and not taken back. */
export type MonitorChange = {
  readonly [Name in keyof MonitorSettings]?:
    | (Name extends 'kind' ? MonitorKind : MonitorSettings[Name])
    | undefined
}

/** The interval of a monitor whose owner has not set one, unless the minimum of the plan is longer. */
export const USUAL_INTERVAL_SECONDS = 60
/** Servers for mail count connections without a mail as an attack. */
const SMTP_PORT = 25

const DEFAULTS: MonitorSettings = {
  kind: null,
  port: null,
  path: '/',
  expected_status: '200-399',
  follows_redirects: true,
  body_text: null,
  address_family: 'auto',
  certificate_warning_days: 14,
  interval_seconds: USUAL_INTERVAL_SECONDS,
  confirmations: 2,
  recoveries: 1,
  heartbeat_source: 'url',
  heartbeat_period_seconds: 300,
  heartbeat_grace_seconds: 60,
  notifies_down: true,
  notifies_up: true,
}

/** The settings of a monitor whose owner has set nothing. @param minInterval of the plan, in seconds */
export const defaultSettings = (minInterval: number): MonitorSettings => ({
  ...DEFAULTS,
  interval_seconds: Math.max(DEFAULTS.interval_seconds, minInterval),
})

export const SETTING_NAMES = Object.keys(DEFAULTS) as readonly (keyof MonitorSettings)[]

/** The settings in a row that has more. */
export const settingsOf = (row: MonitorSettings): MonitorSettings =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, row[name]])) as unknown as MonitorSettings

const HTTP = ['https', 'http'] as const
const CONNECTING = [...HTTP, 'tcp'] as const

/** The settings that only some kinds use. */
const USED_BY: Readonly<Partial<Record<keyof MonitorSettings, readonly MonitorKind[]>>> = {
  port: CONNECTING,
  address_family: CONNECTING,
  path: HTTP,
  expected_status: HTTP,
  follows_redirects: HTTP,
  body_text: HTTP,
  certificate_warning_days: ['https'],
  heartbeat_source: ['heartbeat'],
  heartbeat_period_seconds: ['heartbeat'],
  heartbeat_grace_seconds: ['heartbeat'],
}

/** The stored form of a path with its query, as a request sends it. @throws Refusal `validation-failed` */
function parsePath(path: string): string {
  const url = path.startsWith('/') ? URL.parse(`http://host${path}`) : null
  if (url !== null && !/[#\\]|\p{Cc}/u.test(path)) return url.pathname + url.search
  const message =
    'path contains a number sign, a backslash or a control character. Write the path of the request and its query, such as /health?full=1.'
  throw invalid({ field: 'path', message })
}

/** @throws Refusal `validation-failed` */
function parseBodyText(text: string | null): string | null {
  if (text === null || !/\p{Cc}/u.test(text)) return text
  const message =
    'body_text contains a line break or another control character. Write a part of one line of the response.'
  throw invalid({ field: 'body_text', message })
}

/** The given settings in their stored form. @throws Refusal `validation-failed` */
function stored(change: MonitorChange): Partial<MonitorSettings> {
  const { path, expected_status, body_text, ...same } = change
  return {
    ...(Object.fromEntries(
      Object.entries(same).filter(([, value]) => value !== undefined),
    ) as Partial<MonitorSettings>),
    ...(path === undefined ? {} : { path: parsePath(path) }),
    ...(expected_status === undefined
      ? {}
      : { expected_status: parseExpectedStatus(expected_status) }),
    ...(body_text === undefined ? {} : { body_text: parseBodyText(body_text) }),
  }
}

/** Refuses to change what the kind does not use: the owner would wait in vain for an effect. */
function requireUsed(former: MonitorSettings, after: MonitorSettings): void {
  const { kind } = after
  if (kind === null) return
  for (const name of SETTING_NAMES) {
    const kinds = USED_BY[name]
    if (kinds === undefined || kinds.includes(kind) || after[name] === former[name]) continue
    const message = `${name} applies only to monitors of the kind ${kinds.join(', ')}, and this monitor has the kind ${kind}. Omit it, or change kind.`
    throw invalid({ field: name, message })
  }
}

function requireInterval(seconds: number, minInterval: number): void {
  if (seconds >= minInterval) return
  const message = `interval_seconds is ${seconds}. Your plan allows ${minInterval} seconds or more.`
  throw invalid({ field: 'interval_seconds', message })
}

/**
 * The settings after a change. An interval that is not part of the change is raised to the minimum.
 *
 * @param minInterval the shortest interval of the plan, in seconds
 * @throws Refusal `validation-failed`
 */
export function settingsAfter(
  former: MonitorSettings,
  change: MonitorChange,
  minInterval: number,
): MonitorSettings {
  const after = { ...former, ...stored(change) }
  if (change.interval_seconds !== undefined) requireInterval(after.interval_seconds, minInterval)
  if (change.port === SMTP_PORT) {
    const message = `port is ${SMTP_PORT}, the port of mail servers, which is not monitored. Use another port.`
    throw invalid({ field: 'port', message })
  }
  requireUsed(former, after)
  return { ...after, interval_seconds: Math.max(after.interval_seconds, minInterval) }
}

/** Whether a change can make the result of a check another one, so that the next check should come soon. */
export function affectsChecks(former: MonitorSettings, after: MonitorSettings): boolean {
  return SETTING_NAMES.some(
    (name) => former[name] !== after[name] && name !== 'notifies_down' && name !== 'notifies_up',
  )
}
