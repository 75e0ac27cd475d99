/** The settings of monitors as flags. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import {
  HEARTBEAT_SOURCES,
  MONITOR_FAMILIES,
  MONITOR_KINDS,
  MONITOR_LIMITS,
} from '@homing/openapi/vocabulary'
import * as Flags from '@oclif/core/flags'
import { bodyOf } from './api.ts'
import type { Monitor } from './monitors.ts'

type Change = components['schemas']['MonitorChange']

export const monitorFlags = {
  kind: Flags.option({ description: 'what to check', options: MONITOR_KINDS })(),
  interval: Flags.integer({
    description: 'the time between two checks; the plan sets the minimum',
    helpValue: 'SECONDS',
    min: 1,
    max: MONITOR_LIMITS.interval_max,
  }),
  port: Flags.integer({
    description: 'the port; 0 for the usual one of the kind',
    helpValue: 'NUMBER',
    min: 0,
    max: 65_535,
  }),
  path: Flags.string({ description: 'the path and query of the request', helpValue: 'PATH' }),
  'expect-status': Flags.string({
    description: 'the statuses that count as up: numbers and ranges',
    helpValue: '200-299,401',
  }),
  'expect-text': Flags.string({
    description: 'a text that the response must contain; an empty text removes it',
    helpValue: 'TEXT',
  }),
  redirects: Flags.boolean({
    description: 'follow redirects, at most three',
    allowNo: true,
  }),
  family: Flags.option({
    description: 'the stored address to connect to',
    options: MONITOR_FAMILIES,
  })(),
  'certificate-days': Flags.integer({
    description: 'how many days before a certificate expires a mail is sent; 0: never',
    helpValue: 'NUMBER',
    min: 0,
    max: MONITOR_LIMITS.certificate_warning_days,
  }),
  confirmations: Flags.integer({
    description: 'how many checks in a row must fail until the monitor is down',
    helpValue: 'NUMBER',
    min: 1,
    max: MONITOR_LIMITS.confirmations,
  }),
  recoveries: Flags.integer({
    description: 'how many checks in a row must succeed until it is up again',
    helpValue: 'NUMBER',
    min: 1,
    max: MONITOR_LIMITS.recoveries,
  }),
  heartbeat: Flags.option({
    description: 'the heartbeat source: a call of the heartbeat URL, or a dynamic update',
    options: HEARTBEAT_SOURCES,
  })(),
  every: Flags.integer({
    description: 'how often a heartbeat is expected',
    helpValue: 'SECONDS',
    min: 30,
    max: MONITOR_LIMITS.heartbeat_period_max,
  }),
  grace: Flags.integer({
    description: 'how much later a heartbeat may arrive',
    helpValue: 'SECONDS',
    min: 0,
    max: MONITOR_LIMITS.heartbeat_grace_max,
  }),
  'mail-down': Flags.boolean({ description: 'send a mail when it is down', allowNo: true }),
  'mail-up': Flags.boolean({ description: 'send a mail when it is up again', allowNo: true }),
}

interface SettingFlags {
  readonly kind?: Change['kind']
  readonly interval?: number | undefined
  readonly port?: number | undefined
  readonly path?: string | undefined
  readonly 'expect-status'?: string | undefined
  readonly 'expect-text'?: string | undefined
  readonly redirects?: boolean
  readonly family?: Change['address_family']
  readonly 'certificate-days'?: number | undefined
  readonly confirmations?: number | undefined
  readonly recoveries?: number | undefined
  readonly heartbeat?: Change['heartbeat_source']
  readonly every?: number | undefined
  readonly grace?: number | undefined
  readonly 'mail-down'?: boolean
  readonly 'mail-up'?: boolean
}

/** The settings that the flags give, and no others. */
export function settingsOf(flags: SettingFlags): Change {
  const { port, 'certificate-days': days, 'expect-text': text } = flags
  const given = {
    kind: flags.kind,
    interval_seconds: flags.interval,
    port: port === 0 ? null : port,
    path: flags.path,
    expected_status: flags['expect-status'],
    body_text: text === '' ? null : text,
    follows_redirects: flags.redirects,
    address_family: flags.family,
    certificate_warning_days: days === 0 ? null : days,
    confirmations: flags.confirmations,
    recoveries: flags.recoveries,
    heartbeat_source: flags.heartbeat,
    heartbeat_period_seconds: flags.every,
    heartbeat_grace_seconds: flags.grace,
    notifies_down: flags['mail-down'],
    notifies_up: flags['mail-up'],
  } satisfies { [Field in keyof Change]: Change[Field] | undefined }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/**
 * Changes settings of a monitor.
 *
 * @param version change them only if they still have this version
 */
export async function changeMonitor(
  api: ApiClient,
  id: string,
  change: Change,
  version?: number,
): Promise<Monitor> {
  const answer = await api.PUT('/api/uptime/domain/{id}', {
    params: { path: { id } },
    body: change,
    ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
  })
  return bodyOf(answer, 'domain_id', 'fqdn', 'state')
}
