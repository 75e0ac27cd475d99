import { ageText } from '@homing/theme/formats'
import type { LiveState } from '../../api/live/shared-stream.ts'
import { useNow } from '@homing/theme/parts/use-now.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** As `ageText`, with seconds: `2 s ago`. @param since milliseconds since the epoch */
function secondsAgo(since: number, nowMs: number): string {
  const passedMs = Math.max(0, nowMs - since)
  if (passedMs >= MINUTE_MS) return ageText(new Date(since).toISOString(), nowMs)
  return `${Math.floor(passedMs / SECOND_MS)} s ago`
}

interface LiveStatusProps {
  readonly live: LiveState
  /** When the list was last read. */
  readonly readAt: number
}

/** Says how current the table is. Quiet: screen readers find it, and do not announce it. */
export function LiveStatus({ live, readAt }: LiveStatusProps) {
  const nowMs = useNow(SECOND_MS)
  const since = Math.max(live.since, readAt)
  if (since === 0) return null
  return (
    <span className={live.isLive ? 'live live-on' : 'live'}>
      {live.isLive ? 'Live' : 'Updated'} · {secondsAgo(since, nowMs)}
    </span>
  )
}
