/** Monitors in words: what they watch, and their state with an icon and a colour. */
import type { MonitorKind, MonitorState } from '@homing/openapi/vocabulary'
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { MonitorFields } from '../../api/monitors.ts'

export interface StateLook {
  readonly word: string
  readonly icon: IconName
  readonly tone: 'ok' | 'off' | 'warn' | 'error'
}

export const STATE_LOOKS: Readonly<Record<MonitorState, StateLook>> = {
  off: { word: 'Off', icon: 'pause', tone: 'off' },
  pending: { word: 'Pending', icon: 'wait', tone: 'off' },
  undecided: { word: 'No answer', icon: 'warning', tone: 'warn' },
  up: { word: 'Up', icon: 'success', tone: 'ok' },
  down: { word: 'Down', icon: 'failure', tone: 'error' },
  unknown: { word: 'Unknown', icon: 'unknown', tone: 'warn' },
  maintenance: { word: 'Maintenance', icon: 'settings', tone: 'off' },
  stopped: { word: 'Stopped', icon: 'close', tone: 'warn' },
}

/** The ports of kinds without one of their own. */
const DEFAULT_PORTS: Readonly<Partial<Record<MonitorKind, number>>> = {
  https: 443,
  http: 80,
  tcp: 443,
}

/** The port that a monitor connects to; undefined for kinds without ports. */
export const portOf = (kind: MonitorKind, port: number | null): number | undefined =>
  kind in DEFAULT_PORTS ? (port ?? DEFAULT_PORTS[kind]) : undefined

/** What a monitor that is turned on watches: `https`, `tcp 22`, `looking…`. */
export function watchedText({
  monitor_kind: kind,
  monitor_port: given,
  monitor_state: state,
}: MonitorFields): string {
  if (kind === null) return state === 'undecided' ? 'choose what to check' : 'looking…'
  const port = portOf(kind, given)
  const isUsual = kind !== 'tcp' && port === DEFAULT_PORTS[kind]
  return port === undefined || isUsual ? kind : `${kind} ${port}`
}

/** Why the owner cannot turn the monitor of a domain on; undefined if they can. */
export function switchBlock(
  domain: { readonly is_wildcard: boolean; readonly withheld_by: readonly string[] },
  isInPlan: boolean,
): string | undefined {
  if (domain.is_wildcard) return 'A wildcard has no monitor'
  if (domain.withheld_by.includes('locked')) return 'Locked by an administrator'
  return isInPlan ? undefined : 'Not in your plan'
}
