import type { LiveState } from '../../api/live/shared-stream.ts'
import { secondsAgo } from './spans.ts'
import { useNow } from './use-now.ts'

const SECOND_MS = 1_000

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
