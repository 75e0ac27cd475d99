/** The path of a sparkline, in a box of 100 by 24. */
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
