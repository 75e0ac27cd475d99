/** The paths of sparklines, in a box of 100 by 24. */
import type { QueryPart } from '../../api/dns-queries.ts'

const WIDTH = 100
const HEIGHT = 24
/** Half of the line would be cut off at the edges. */
const EDGE = 1

/**
 * @param partsPerPoint how many parts are added up for a point. A part that is not over yet would show a fall, so it is left out.
 * @returns undefined without queries, or with too few points for a line
 */
export function sparklineOf(
  parts: readonly Pick<QueryPart, 'queries' | 'is_partial'>[],
  partsPerPoint: number,
): string | undefined {
  const whole = parts.filter(({ is_partial }) => !is_partial)
  // Full points up to the last whole part.
  const first = whole.length % partsPerPoint
  const points: number[] = []
  for (let at = first; at < whole.length; at += partsPerPoint) {
    const group = whole.slice(at, at + partsPerPoint)
    points.push(group.reduce((sum, { queries }) => sum + queries, 0))
  }
  const top = Math.max(...points)
  if (points.length < 2 || top <= 0) return undefined
  const step = WIDTH / (points.length - 1)
  const height = (figure: number) => HEIGHT - EDGE - (figure / top) * (HEIGHT - 2 * EDGE)
  const places = points.map((figure, n) => `${round(n * step)},${round(height(figure))}`)
  return `M${places.join(' L')}`
}

const round = (place: number): number => Math.round(place * 10) / 10

/** The scale of uptimes begins here, or at a lower one: most differences are small. */
const LOWEST_UPTIME = 90

/**
 * @param hours percentages, the oldest first; null: there is no data, and a gap
 * @returns undefined with too few points for a line
 */
export function uptimeLineOf(hours: readonly (number | null)[]): string | undefined {
  const known = hours.filter((hour) => hour !== null)
  if (known.length < 2) return undefined
  const least = Math.min(LOWEST_UPTIME, ...known)
  const step = WIDTH / (hours.length - 1)
  const height = (uptime: number) => EDGE + ((100 - uptime) / (100 - least)) * (HEIGHT - 2 * EDGE)
  const places = hours.map((hour, n) => {
    if (hour === null) return ''
    const isFirst = (hours[n - 1] ?? null) === null
    return `${isFirst ? 'M' : 'L'}${round(n * step)},${round(height(hour))}`
  })
  return places.filter((place) => place !== '').join(' ')
}
