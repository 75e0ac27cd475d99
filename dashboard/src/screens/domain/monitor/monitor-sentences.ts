/** What a monitor does, and how it is, in sentences. */
import { lengthText, spanText, timeText } from '@homing/theme/formats'
import type { Monitor } from '../../../api/monitors.ts'
import { portOf } from '../../monitor/monitor-words.ts'

const TRIED = 'https, http, and TCP ports 443, 80 and 22'

const STOPS: Readonly<Record<NonNullable<Monitor['stopped_by']>, string>> = {
  plan: 'Your plan does not include monitors, so it stopped. Its settings and its history are kept.',
  administrator: 'An administrator stopped it.',
  withheld: 'It stopped, because DNS does not serve the domain. It continues when DNS serves it.',
}

function stopText({ stopped_by, stop_reason }: Monitor): string {
  if (stopped_by === null) return 'It stopped.'
  if (stopped_by !== 'administrator') return STOPS[stopped_by]
  const reason = stop_reason === null ? '' : ` The reason: ${stop_reason}`
  return `${STOPS.administrator}${reason} Please contact support.`
}

function sinceText({ state_since }: Monitor, nowMs: number): string {
  if (state_since === null) return ''
  const seconds = Math.max(0, (nowMs - Date.parse(state_since)) / 1_000)
  return ` since ${timeText(state_since)}, for ${lengthText(seconds)}`
}

/** The state, since when and why. */
export function stateText(monitor: Monitor, nowMs: number): string {
  const { state, kind, cause_text } = monitor
  const since = sinceText(monitor, nowMs)
  const cause = cause_text === null ? '' : ` ${cause_text}`
  switch (state) {
    case 'off':
      return 'The monitor is off. Turn it on, and Homing checks the domain regularly and sends you mail when it is down.'
    case 'pending':
      return kind === null
        ? `Homing looks for what answers: ${TRIED}.`
        : 'The first check is on its way.'
    case 'undecided':
      return `Nothing answered on ${TRIED}. Choose what to check.`
    case 'up':
      return `Up${since}.`
    case 'down':
      return `Down${since}.${cause}`
    case 'unknown':
      return `Unknown${since}.${cause} This time counts neither as up nor as down.`
    case 'maintenance':
      return `In maintenance${since}. It is not checked, and no mail is sent.`
    case 'stopped':
      return stopText(monitor)
  }
}

/** The URL of the requests. The port is left out where it is the usual one. */
function urlOf({ kind, fqdn, port, path }: Monitor): string {
  const isUsual = port === null || (kind !== null && port === portOf(kind, null))
  return `${kind}://${fqdn}${isUsual ? '' : `:${port}`}${path}`
}

/** What is checked, and how often; undefined until it is found or chosen. */
export function checkText(monitor: Monitor): string | undefined {
  const { kind, port, interval_seconds, heartbeat_source, heartbeat_period_seconds } = monitor
  const every = `every ${spanText(interval_seconds)}`
  switch (kind) {
    case null:
      return undefined
    case 'https':
    case 'http':
      return `Requests ${urlOf(monitor)} ${every}.`
    case 'tcp':
      return `Connects to TCP port ${portOf(kind, port)} ${every}.`
    case 'dns':
      return `Compares what DNS answers with the registered address ${every}.`
    case 'heartbeat': {
      const what = heartbeat_source === 'url' ? 'call of its heartbeat URL' : 'dynamic update'
      return `Expects a ${what} every ${spanText(heartbeat_period_seconds)}.`
    }
  }
}
