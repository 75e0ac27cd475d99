/** A monitor, fact by fact. */
import { type Monitor, percent } from './monitors.ts'
import type { Fact } from './output.ts'

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

const heartbeatFacts = (monitor: Monitor): Fact[] => [
  ['waits for', monitor.heartbeat_source],
  ['expected every', `${monitor.heartbeat_period_seconds} s`],
  ['grace', `${monitor.heartbeat_grace_seconds} s`],
  ['last heartbeat', monitor.last_heartbeat_at],
  ['heartbeat url', yesNo(monitor.has_heartbeat_token)],
]

const connectionFacts = ({ port, address_family }: Monitor): Fact[] => [
  ['port', port],
  ['address', address_family],
]

const requestFacts = (monitor: Monitor): Fact[] => [
  ['path', monitor.path],
  ['expected status', monitor.expected_status],
  ['follows redirects', yesNo(monitor.follows_redirects)],
  ['text', monitor.body_text],
]

const certificateFacts = (monitor: Monitor): Fact[] => {
  const { certificate_expires_at, certificate_warning_days: days } = monitor
  return [
    ['certificate expires', certificate_expires_at],
    ['warning', days === null ? 'never' : `${days} days before`],
  ]
}

/** The settings that the kind uses. */
function settingFacts(monitor: Monitor): Fact[] {
  const { kind } = monitor
  if (kind === 'heartbeat') return heartbeatFacts(monitor)
  return [
    ...(kind === 'dns' ? [] : connectionFacts(monitor)),
    ...(kind === 'https' || kind === 'http' ? requestFacts(monitor) : []),
    ...(kind === 'https' ? certificateFacts(monitor) : []),
  ]
}

export function monitorFacts(monitor: Monitor): Fact[] {
  return [
    ['domain', monitor.fqdn],
    ['state', monitor.state],
    ['since', monitor.state_since],
    ['stopped by', monitor.stopped_by],
    ['cause', monitor.cause_text],
    ['24 hours', percent(monitor.uptime_24h)],
    ['7 days', percent(monitor.uptime_7d)],
    ['30 days', percent(monitor.uptime_30d)],
    ['90 days', percent(monitor.uptime_90d)],
    ['last check', monitor.last_check_at],
    ['latency', monitor.last_latency_ms === null ? null : `${monitor.last_latency_ms} ms`],
    ['kind', monitor.kind],
    ...settingFacts(monitor),
    ['interval', `${monitor.interval_seconds} s`],
    ['confirmations', monitor.confirmations],
    ['recoveries', monitor.recoveries],
    ['mail when down', yesNo(monitor.notifies_down)],
    ['mail when up', yesNo(monitor.notifies_up)],
    ['version', monitor.version],
  ]
}
