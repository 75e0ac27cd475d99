/** What a monitor does, and how it is, in sentences. */
import type { MonitorState } from '@homing/openapi/vocabulary'
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

type Sentence = (monitor: Monitor, since: string) => string

const causeOf = ({ cause_text }: Monitor): string => (cause_text === null ? '' : ` ${cause_text}`)

const SENTENCES: Readonly<Record<MonitorState, Sentence>> = {
  off: () =>
    'The monitor is off. Turn it on, and Homing checks the domain regularly and sends you mail when it is down.',
  pending: ({ kind }) =>
    kind === null ? `Homing looks for what answers: ${TRIED}.` : 'The first check is on its way.',
  undecided: () => `Nothing answered on ${TRIED}. Choose what to check.`,
  up: (_, since) => `Up${since}.`,
  down: (monitor, since) => `Down${since}.${causeOf(monitor)}`,
  unknown: (monitor, since) =>
    `Unknown${since}.${causeOf(monitor)} This time counts neither as up nor as down.`,
  maintenance: (_, since) => `In maintenance${since}. It is not checked, and no mail is sent.`,
  stopped: (monitor) => stopText(monitor),
}

/** The state, since when and why. */
export const stateText = (monitor: Monitor, nowMs: number): string =>
  SENTENCES[monitor.state](monitor, sinceText(monitor, nowMs))

/** The URL of the requests. The port is left out where it is the usual one. */
function urlOf({ kind, fqdn, port, path }: Monitor): string {
  const isUsual = port === null || (kind !== null && port === portOf(kind, null))
  return `${kind}://${fqdn}${isUsual ? '' : `:${port}`}${path}`
}

/** What is checked, and how often; undefined until it is found or chosen. */
export function checkText(monitor: Monitor): string | undefined {
  const { kind, port, interval_seconds, heartbeat_source, heartbeat_period_seconds } = monitor
  if (kind === null) return undefined
  if (kind === 'heartbeat') {
    const what = heartbeat_source === 'url' ? 'call of its heartbeat URL' : 'dynamic update'
    return `Expects a ${what} every ${spanText(heartbeat_period_seconds)}.`
  }
  const what = {
    https: `Requests ${urlOf(monitor)}`,
    http: `Requests ${urlOf(monitor)}`,
    tcp: `Connects to TCP port ${portOf(kind, port)}`,
    dns: 'Compares what DNS answers with the registered address',
  }[kind]
  return `${what} every ${spanText(interval_seconds)}.`
}
