/** The parts of a history: what each shows, and its text. */
import type { MonitorState } from '@homing/openapi/vocabulary'
import { dayText, lengthText, minuteText, percentText, timeText } from '@homing/theme/formats'
import type { HistorySpan, UptimePart } from '../../../api/monitors.ts'

export type PartKind = Extract<MonitorState, 'up' | 'down' | 'unknown' | 'maintenance'> | 'none'

export const PART_NAMES: Readonly<Record<PartKind, string>> = {
  up: 'Up',
  down: 'Down',
  unknown: 'Unknown',
  maintenance: 'Maintenance',
  none: 'No data',
}

/** Any time down makes a part down. Otherwise it is what it was for the longest time. */
export function kindOf(part: UptimePart): PartKind {
  const { up_seconds, down_seconds, unknown_seconds, maintenance_seconds } = part
  if (down_seconds > 0) return 'down'
  const longest = Math.max(up_seconds, unknown_seconds, maintenance_seconds)
  if (longest === 0) return 'none'
  if (longest === up_seconds) return 'up'
  return longest === maintenance_seconds ? 'maintenance' : 'unknown'
}

/** The time of a part. Days are those of UTC; times are the user's. */
export function whenText({ from, to }: Pick<UptimePart, 'from' | 'to'>, span: HistorySpan): string {
  if (span === '24h') return `${timeText(from)} to ${minuteText(to)}`
  const [first, last] = [dayText(from, 'UTC'), dayText(Date.parse(to) - 1, 'UTC')]
  return first === last ? first : `${first} to ${last}`
}

const lengths = [
  ['down', 'down_seconds'],
  ['unknown', 'unknown_seconds'],
  ['in maintenance', 'maintenance_seconds'],
] as const

/** What happened in a part: `uptime 90.00%, down for 30 s`. */
export function whatText(part: UptimePart): string {
  if (kindOf(part) === 'none') return 'no data'
  const { uptime, latency_ms } = part
  const texts = [
    ...(uptime === null ? [] : [`uptime ${percentText(uptime)}`]),
    ...lengths.flatMap(([word, field]) =>
      part[field] > 0 ? [`${word} for ${lengthText(part[field])}`] : [],
    ),
    ...(latency_ms === null ? [] : [`mean response ${latency_ms} ms`]),
  ]
  return texts.join(', ')
}

/** Parts in a row that show the same, as one line of a table. */
export interface PartRun {
  readonly kind: PartKind
  readonly from: string
  readonly to: string
  readonly uptime: number | null
  readonly checks: number
  readonly failures: number
}

/** The lines of the table, the newest first. Each part with time down has its own. */
export function runsOf(parts: readonly UptimePart[]): readonly PartRun[] {
  const runs: PartRun[] = []
  for (const part of parts) {
    const kind = kindOf(part)
    const { from, to, uptime, checks, failures } = part
    const last = runs.at(-1)
    if (last === undefined || last.kind !== kind || kind === 'down' || last.to !== from) {
      runs.push({ kind, from, to, uptime, checks, failures })
    } else {
      const counts = { checks: last.checks + checks, failures: last.failures + failures }
      runs[runs.length - 1] = { ...last, ...counts, to }
    }
  }
  return runs.toReversed()
}
