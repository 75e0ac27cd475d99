/** Monitors as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { findDomain } from './domains.ts'
import { sendOnce } from './once.ts'
import type { Listing } from './output.ts'
import { ago, printable, span } from './text.ts'

export type Monitor = components['schemas']['Monitor']

export const MONITOR_FIELDS = [
  'domain_id',
  'fqdn',
  'is_enabled',
  'kind',
  'state',
  'state_since',
  'stopped_by',
  'stop_reason',
  'cause',
  'cause_text',
  'last_check_at',
  'last_latency_ms',
  'certificate_expires_at',
  'last_heartbeat_at',
  'has_heartbeat_token',
  'uptime_24h',
  'uptime_7d',
  'uptime_30d',
  'uptime_90d',
  'port',
  'path',
  'expected_status',
  'follows_redirects',
  'body_text',
  'address_family',
  'certificate_warning_days',
  'interval_seconds',
  'confirmations',
  'recoveries',
  'heartbeat_source',
  'heartbeat_period_seconds',
  'heartbeat_grace_seconds',
  'notifies_down',
  'notifies_up',
  'min_interval_seconds',
  'version',
] as const satisfies readonly (keyof Monitor)[]

/** What the monitor does, and at which port if that is not the usual one. */
const kindOf = ({ kind, port }: Monitor): string =>
  [kind ?? '–', kind === 'dns' || kind === 'heartbeat' ? null : port]
    .filter((part) => part !== null)
    .join(' ')

/** `99.90 %`; a dash without data. */
export const percent = (uptime: number | null): string =>
  uptime === null ? '–' : `${uptime.toFixed(2)} %`

const sinceOf = ({ state_since }: Monitor) =>
  state_since === null ? '–' : ago(state_since, Date.now())

const stateOf = ({ state, stopped_by }: Monitor): string =>
  stopped_by === null ? state : `${state}: ${stopped_by}`

export const monitorListing: Listing<Monitor> = {
  columns: [
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn },
    { title: 'KIND', of: kindOf, dropFirst: 1 },
    { title: 'STATE', of: stateOf },
    { title: 'SINCE', of: sinceOf },
    { title: '24 H', of: ({ uptime_24h }) => percent(uptime_24h), dropFirst: 2 },
    { title: '30 D', of: ({ uptime_30d }) => percent(uptime_30d), dropFirst: 3 },
  ],
  fields: (monitor) => [
    monitor.fqdn,
    monitor.kind,
    monitor.state,
    monitor.state_since,
    monitor.uptime_24h,
    monitor.uptime_30d,
  ],
}

const STOPS = {
  plan: 'Your plan does not include monitoring.',
  administrator: 'An administrator paused it.',
  withheld: 'DNS does not serve the domain.',
} as const satisfies Record<NonNullable<Monitor['stopped_by']>, string>

function stopSentence({ stopped_by, stop_reason }: Monitor): string {
  if (stopped_by === null) return 'The monitor is stopped.'
  const reason = stop_reason === null ? '' : ` ${stop_reason}`
  return `The monitor is stopped. ${STOPS[stopped_by]}${reason}`
}

/** The state as a sentence or two. @param now milliseconds */
export function stateSentence(monitor: Monitor, now: number): string {
  const { fqdn, state, state_since, cause_text } = monitor
  const time = state_since === null ? '' : ` for ${span((now - Date.parse(state_since)) / 1000)}`
  const cause = cause_text === null ? '' : ` ${cause_text}`
  const sentences = {
    off: `${fqdn} is not monitored. Turn it on: homing monitors enable ${fqdn}`,
    pending: `${fqdn} has no result yet.`,
    undecided: `Nothing answered at ${fqdn}. Choose what to check: homing monitors update ${fqdn} --kind KIND`,
    up: `${fqdn} has been up${time}.`,
    down: `${fqdn} has been down${time}.${cause}`,
    unknown: `The service has not been able to check ${fqdn}${time}.${cause}`,
    maintenance: `${fqdn} has been in maintenance${time}.`,
    stopped: stopSentence(monitor),
  } as const satisfies Record<Monitor['state'], string>
  return printable(sentences[state])
}

/** The monitor of one of the caller's domains, also when it was never turned on. @throws CommandFailure as `findDomain` */
export async function findMonitor(api: ApiClient, typed: string): Promise<Monitor> {
  const { id } = await findDomain(api, typed)
  const answer = await api.GET('/api/uptime/domain/{id}', { params: { path: { id } } })
  return bodyOf(answer, 'domain_id', 'fqdn', 'state')
}

/** Turns the monitor of a domain on or off. */
export async function switchMonitor(api: ApiClient, id: string, enable: boolean): Promise<Monitor> {
  const call = { params: { path: { id } }, body: { enable } }
  const answer = await sendOnce((headers) =>
    api.POST('/api/uptime/domain/{id}/monitor', { ...call, headers }),
  )
  return bodyOf(answer, 'domain_id', 'fqdn', 'state')
}

/** The domains in their order, each once. @throws CommandFailure as `findDomain`, before anything is changed */
export async function findDomains(
  api: ApiClient,
  names: readonly string[],
): Promise<{ readonly id: string; readonly fqdn: string }[]> {
  const found = new Map<string, string>()
  for (const name of names) {
    const { id, fqdn } = await findDomain(api, name)
    found.set(id, fqdn)
  }
  return [...found].map(([id, fqdn]) => ({ id, fqdn }))
}
