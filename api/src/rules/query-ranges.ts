/** The ranges of time of DNS analytics. */
import {
  QUERY_PARTS_LIMIT,
  QUERY_RESOLUTIONS,
  type QueryResolution,
} from '@homing/openapi/vocabulary'
import {
  type AskedRange,
  type PartRange,
  partRange,
  type RangeLimits,
  reaches,
  widthMs,
} from './part-range.ts'

const LIMITS: RangeLimits = {
  what: 'series',
  resolutions: QUERY_RESOLUTIONS,
  partsLimit: QUERY_PARTS_LIMIT,
}
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FINEST_MS = QUERY_RESOLUTIONS['5m'].seconds * 1_000

export interface SeriesRange extends PartRange {
  /** The begins of the parts. */
  readonly begins: readonly Date[]
  /** The begins of the parts of the period before, of equal length; undefined: they are no longer kept. */
  readonly previous: readonly Date[] | undefined
}

/** The begins of the parts from a time, as many as the series has. */
const beginsFrom = (from: number, count: number, width: number): Date[] =>
  Array.from({ length: count }, (_, n) => new Date(from + n * width))

/**
 * The parts of a series.
 *
 * @throws Refusal `validation-failed` for a range that is backwards, in the future or too old, and for too many parts
 */
export function seriesRange(asked: AskedRange, now: Date): SeriesRange {
  const range = partRange(LIMITS, asked, now)
  const width = widthMs(LIMITS, range.resolution)
  const to = range.to.getTime()
  // Without a begin, the series has the parts of exactly a day, so that the period before has as many.
  const from = asked.from === undefined ? to - DAY_MS : range.from.getTime()
  const count = (to - from) / width
  const earlier = from - (to - from)
  // Parts are kept a little longer than they are shown, so the parts that contain the range can be one more.
  const isKept = reaches(LIMITS, range.resolution, earlier + width, now.getTime())
  return {
    ...range,
    from: new Date(from),
    begins: beginsFrom(from, count, width),
    previous: isKept ? beginsFrom(earlier, count, width) : undefined,
  }
}

/** Whole parts of one resolution. */
export interface Piece {
  readonly resolution: QueryResolution
  readonly from: Date
  readonly to: Date
}

const floorTo = (time: number, width: number) => Math.floor(time / width) * width
const ceilTo = (time: number, width: number) => Math.ceil(time / width) * width

/** From the coarsest to the finest, with the width in milliseconds. */
const COARSEST_FIRST = [
  ['1d', DAY_MS],
  ['1h', HOUR_MS],
  ['5m', FINEST_MS],
] as const satisfies readonly (readonly [QueryResolution, number])[]

function piecesBetween(from: number, to: number, level: number): Piece[] {
  const [resolution, width] = COARSEST_FIRST[level] ?? COARSEST_FIRST[2]
  if (from >= to) return []
  const [first, end] = [ceilTo(from, width), floorTo(to, width)]
  if (level === COARSEST_FIRST.length - 1) {
    return [{ resolution, from: new Date(floorTo(from, width)), to: new Date(ceilTo(to, width)) }]
  }
  if (first >= end) return piecesBetween(from, to, level + 1)
  return [
    ...piecesBetween(from, first, level + 1),
    { resolution, from: new Date(first), to: new Date(end) },
    ...piecesBetween(end, to, level + 1),
  ]
}

/**
 * The coarsest parts that make up a time, the oldest first, so that a sum reads as few rows as possible. Five minutes are
 * not divided.
 */
export const piecesOf = (from: Date, to: Date): Piece[] =>
  piecesBetween(from.getTime(), to.getTime(), 0)

/** The periods of a summary: one to show, and two to compare. */
export interface SummaryPeriod {
  /** Until the end of the present part. */
  readonly shown: readonly Piece[]
  /** The newest that is completely counted, and the one before it. */
  readonly counted: readonly Piece[]
  readonly before: readonly Piece[]
}

/**
 * The shown periods, in days, and the width at which each begins and ends. Totals are shown beside series of hours, and of days
 * for 30 days, and must be equal to their sums. What is compared has the finest width for which earlier parts are kept.
 */
const PERIODS = [
  { days: 1, shownAt: HOUR_MS, comparedAt: FINEST_MS },
  { days: 7, shownAt: HOUR_MS, comparedAt: HOUR_MS },
  { days: 30, shownAt: DAY_MS, comparedAt: DAY_MS },
] as const

/**
 * The periods of a summary: 24 hours, 7 and 30 days. A comparison leaves out the present part, which is not over.
 *
 * @param countedUntil until when queries are counted
 */
export function summaryPeriods(
  now: Date,
  countedUntil: Date,
): readonly [SummaryPeriod, SummaryPeriod, SummaryPeriod] {
  const periodOf = ({ days, shownAt, comparedAt }: (typeof PERIODS)[number]): SummaryPeriod => {
    const lengthMs = days * DAY_MS
    const end = ceilTo(now.getTime(), shownAt)
    const counted = floorTo(countedUntil.getTime(), comparedAt)
    const pieces = (to: number, until = to) => piecesOf(new Date(to - lengthMs), new Date(until))
    return {
      // The present hour is in the total of the day.
      shown: pieces(end, ceilTo(end, DAY_MS)),
      counted: pieces(counted),
      before: pieces(counted - lengthMs),
    }
  }
  const [day, week, month] = PERIODS
  return [periodOf(day), periodOf(week), periodOf(month)]
}
