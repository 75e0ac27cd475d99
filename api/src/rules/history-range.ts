/** The range and the resolution of a history of uptime. */
import {
  HISTORY_PARTS_LIMIT,
  HISTORY_RESOLUTIONS,
  type HistoryResolution,
} from '@homing/openapi/vocabulary'
import { invalid } from './errors.ts'

export interface HistoryRange {
  /** The begin of the first part. Parts begin at whole multiples of their width, in UTC. */
  readonly from: Date
  /** The end of the last part. */
  readonly to: Date
  readonly resolution: HistoryResolution
}

export interface AskedRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly resolution?: HistoryResolution | undefined
}

const DAY_MS = 86_400_000

/** How far back the parts go, in days. */
const REACH_DAYS: Readonly<Record<HistoryResolution, number>> = { '5m': 35, '1h': 35, '1d': 400 }
/** From the finest to the coarsest. */
const RESOLUTIONS = ['5m', '1h', '1d'] as const satisfies readonly HistoryResolution[]

const widthMs = (resolution: HistoryResolution) => HISTORY_RESOLUTIONS[resolution] * 1_000

const fault = (field: string, message: string) => invalid({ field, message })

/** @throws Refusal `validation-failed` */
function timeOf(field: 'from' | 'to', text: string | undefined, usual: number): number {
  const time = text === undefined ? usual : new Date(text).getTime()
  if (Number.isFinite(time)) return time
  throw fault(
    field,
    `${field} is not a time. Write a date and a time with its zone, such as 2026-05-12T00:00:00Z.`,
  )
}

/** Whole parts that contain the range. */
function aligned(from: number, to: number, resolution: HistoryResolution) {
  const width = widthMs(resolution)
  const [first, end] = [Math.floor(from / width) * width, Math.ceil(to / width) * width]
  return { from: first, to: end, count: (end - first) / width }
}

/** Whether the parts of a resolution go back to a time. The part that contains the limit is whole. */
const reaches = (resolution: HistoryResolution, from: number, now: number) =>
  from >= now - REACH_DAYS[resolution] * DAY_MS - widthMs(resolution)

/** The finest resolution that fits. */
function usualResolution(from: number, to: number, now: number): HistoryResolution {
  const found = RESOLUTIONS.find(
    (each) => reaches(each, from, now) && aligned(from, to, each).count <= HISTORY_PARTS_LIMIT,
  )
  return found ?? '1d'
}

/**
 * The parts that a call asks for.
 *
 * @throws Refusal `validation-failed` for a range that is backwards, in the future or too old, and for too many parts
 */
export function historyRange(asked: AskedRange, now: Date): HistoryRange {
  const present = now.getTime()
  const to = timeOf('to', asked.to, present)
  const from = timeOf('from', asked.from, to - DAY_MS)
  if (from >= to) throw fault('from', 'from is not before to. A range ends after it begins.')
  const resolution = asked.resolution ?? usualResolution(from, to, present)
  const parts = aligned(from, to, resolution)
  if (parts.to > present + widthMs(resolution)) {
    throw fault('to', 'to is in the future. The history ends now.')
  }
  if (!reaches(resolution, from, present)) {
    const days = REACH_DAYS[resolution]
    throw fault(
      'from',
      `from is too long ago. A history of ${resolution} parts goes back ${days} days.`,
    )
  }
  if (parts.count > HISTORY_PARTS_LIMIT) {
    const message = `The range has ${parts.count} parts of ${resolution}, and a call returns at most ${HISTORY_PARTS_LIMIT}. Ask for a shorter range or a coarser resolution.`
    throw fault('resolution', message)
  }
  return { from: new Date(parts.from), to: new Date(parts.to), resolution }
}
