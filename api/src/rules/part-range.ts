/** A range of time in parts of equal width, as histories and series show it. */
import { invalid } from './errors.ts'

export type Resolution = '5m' | '1h' | '1d'

export interface PartRange {
  /** The begin of the first part. Parts begin at whole multiples of their width, in UTC. */
  readonly from: Date
  /** The end of the last part. */
  readonly to: Date
  readonly resolution: Resolution
}

export interface AskedRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly resolution?: Resolution | undefined
}

/** The limits of the ranges of a call. */
export interface RangeLimits {
  /** The word for the parts, in messages: `history`. */
  readonly what: string
  /** For each resolution, its width in seconds and how far back it goes in days. */
  readonly resolutions: Readonly<
    Record<Resolution, { readonly seconds: number; readonly keptDays: number }>
  >
  /** The maximum number of parts. */
  readonly partsLimit: number
}

const DAY_MS = 86_400_000
/** From the finest to the coarsest. */
const RESOLUTIONS = ['5m', '1h', '1d'] as const satisfies readonly Resolution[]

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

/** The width of a part in milliseconds. */
export const widthMs = ({ resolutions }: RangeLimits, resolution: Resolution): number =>
  resolutions[resolution].seconds * 1_000

/** Whole parts that contain the range. */
function aligned(limits: RangeLimits, from: number, to: number, resolution: Resolution) {
  const width = widthMs(limits, resolution)
  const [first, end] = [Math.floor(from / width) * width, Math.ceil(to / width) * width]
  return { from: first, to: end, count: (end - first) / width }
}

/** Whether the parts of a resolution go back to a time. The part that contains the limit is whole. */
export const reaches = (
  limits: RangeLimits,
  resolution: Resolution,
  from: number,
  now: number,
): boolean =>
  from >= now - limits.resolutions[resolution].keptDays * DAY_MS - widthMs(limits, resolution)

/** The finest resolution that fits. */
function usualResolution(limits: RangeLimits, from: number, to: number, now: number): Resolution {
  const found = RESOLUTIONS.find(
    (each) =>
      reaches(limits, each, from, now) &&
      aligned(limits, from, to, each).count <= limits.partsLimit,
  )
  return found ?? '1d'
}

/**
 * The parts that a call asks for.
 *
 * @throws Refusal `validation-failed` for a range that is backwards, in the future or too old, and for too many parts
 */
export function partRange(limits: RangeLimits, asked: AskedRange, now: Date): PartRange {
  const present = now.getTime()
  const to = timeOf('to', asked.to, present)
  const from = timeOf('from', asked.from, to - DAY_MS)
  if (from >= to) throw fault('from', 'from is not before to. A range ends after it begins.')
  const resolution = asked.resolution ?? usualResolution(limits, from, to, present)
  const parts = aligned(limits, from, to, resolution)
  if (parts.to > present + widthMs(limits, resolution)) {
    throw fault('to', `to is in the future. The ${limits.what} ends now.`)
  }
  if (!reaches(limits, resolution, from, present)) {
    const days = limits.resolutions[resolution].keptDays
    throw fault(
      'from',
      `from is too long ago. A ${limits.what} of ${resolution} parts goes back ${days} days.`,
    )
  }
  if (parts.count > limits.partsLimit) {
    const message = `The range has ${parts.count} parts of ${resolution}, and a call returns at most ${limits.partsLimit}. Ask for a shorter range or a coarser resolution.`
    throw fault('resolution', message)
  }
  return { from: new Date(parts.from), to: new Date(parts.to), resolution }
}
