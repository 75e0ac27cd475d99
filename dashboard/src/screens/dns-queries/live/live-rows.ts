/** The live queries of the last 60 seconds, the newest first. */
import type { LiveQuery } from '../../../api/dns-queries.ts'

export interface LiveRow extends LiveQuery {
  readonly key: number
  /** By the clock of the browser: the service's can differ. */
  readonly arrivedMs: number
}

const SHOWN_MS = 60_000
export const SHOWN_LIMIT = 200

/** @param arrived in the order in which they arrived */
export function withArrived(
  rows: readonly LiveRow[],
  arrived: readonly LiveRow[],
  nowMs: number,
): readonly LiveRow[] {
  const isRecent = ({ arrivedMs }: LiveRow) => nowMs - arrivedMs < SHOWN_MS
  // An unchanged list is not rendered again.
  const oldest = rows.at(-1)
  if (arrived.length === 0 && (oldest === undefined || isRecent(oldest))) return rows
  return [...arrived.toReversed(), ...rows].slice(0, SHOWN_LIMIT).filter(isRecent)
}

/** How many queries the rows stand for: `Sampled: one of about 5 queries is shown.`; undefined if all are shown. */
export function sampledText(rows: readonly LiveRow[]): string | undefined {
  if (rows.every(({ sample }) => sample <= 1)) return undefined
  const all = rows.reduce((sum, { sample }) => sum + sample, 0)
  const factor = Math.max(2, Math.round(all / rows.length))
  return `Sampled: about one of ${factor} queries is shown, because many arrive at once.`
}
