import { count } from '@homing/theme/formats'
import type { WebForwardUsage } from '../../api/web-forwards.ts'

interface TileProps {
  readonly title: string
  readonly figure: number
  /** What the figure means. */
  readonly note: string
}

function Tile({ title, figure, note }: TileProps) {
  return (
    <div className="card stat">
      <dt className="stat-title">{title}</dt>
      <dd>
        <span className="figure">{count(figure)}</span> <span className="stat-note">{note}</span>
      </dd>
    </div>
  )
}

/** What the account uses of its plan. */
export function UsageTiles({ usage }: { readonly usage: WebForwardUsage }) {
  const { total_forwards, stealth_flags_used, max_stealth_flags, remaining_stealth_flags } = usage
  return (
    <dl className="stats forward-usage" aria-label="Usage">
      <Tile title="Web Forwards" figure={total_forwards} note="redirects are unlimited" />
      <Tile
        title="Stealth Flags Used"
        figure={stealth_flags_used}
        note={`of ${count(max_stealth_flags)} in your plan`}
      />
      <Tile title="Stealth Flags Left" figure={remaining_stealth_flags} note="for new forwards" />
    </dl>
  )
}
