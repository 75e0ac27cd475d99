/** The history of a monitor as a line of characters, for terminals. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'

type Part = components['schemas']['UptimePart']

/** What each character means, for the line below the bars. */
export const BAR_LEGEND = '█ up  ▄ partly down  x down  ? unknown  m maintenance  · no data'

/** The character of one stretch of time. A single second of downtime shows. */
function markOf(parts: readonly Part[]): string {
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0)
  const up = sum(({ up_seconds }) => up_seconds)
  const down = sum(({ down_seconds }) => down_seconds)
  if (down > 0) return up > 0 ? '▄' : 'x'
  if (up > 0) return '█'
  if (sum(({ unknown_seconds }) => unknown_seconds) > 0) return '?'
  return sum(({ maintenance_seconds }) => maintenance_seconds) > 0 ? 'm' : '·'
}

/** A character for each `perMark` parts, the newest last. */
export function barOf(parts: readonly Part[], perMark: number): string {
  const marks: string[] = []
  for (let end = parts.length; end > 0; end -= perMark) {
    marks.unshift(markOf(parts.slice(Math.max(0, end - perMark), end)))
  }
  return marks.join('')
}

const DAY_MS = 86_400_000

/**
 * The bars of 24 hours and of 90 days, half an hour and two days for each character. They end now, by the clock of the
 * service.
 *
 * @param now milliseconds, by the clock of this machine
 */
export async function uptimeBars(
  api: ApiClient,
  id: string,
  now: number,
): Promise<readonly (readonly [title: string, bar: string])[]> {
  const partsOf = async (resolution: '5m' | '1d', from?: string) => {
    const query = { resolution, ...(from !== undefined && { from }) }
    const call = { params: { path: { id }, query } }
    return bodyOf(await api.GET('/api/uptime/domain/{id}/history', call), 'parts').parts
  }
  const begin = new Date(now - 90 * DAY_MS).toISOString()
  const [day, quarter] = await Promise.all([partsOf('5m'), partsOf('1d', begin)])
  return [
    ['last 24 hours', barOf(day, 6)],
    ['last 90 days', barOf(quarter, 2)],
  ]
}
