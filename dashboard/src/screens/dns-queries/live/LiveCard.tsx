/** Queries as they arrive: the last 60 seconds, at most 200 lines. Scrolling pauses it. */
import { clockText, counted } from '@homing/theme/formats'
import { memo, useRef, useState } from 'react'
import { type LiveRow, SHOWN_LIMIT, sampledText } from './live-rows.ts'
import { type LiveQueries, useLiveQueries } from './use-live-queries.ts'

const COLUMNS = ['Time', 'Name', 'Type', 'Answer', 'Transport', 'Client network'] as const

const Line = memo(function Line({ row }: { readonly row: LiveRow }) {
  const { at, qname, type, rcode, transport, network } = row
  return (
    <tr>
      <th scope="row">
        <time dateTime={at}>{clockText(at)}</time>
      </th>
      <td className="live-name">{qname}</td>
      <td>{type}</td>
      <td>{rcode}</td>
      <td>{transport.toUpperCase()}</td>
      <td className="monospace">{network}</td>
    </tr>
  )
})

function stateText({ state }: LiveQueries, isPaused: boolean): string {
  if (state === 'broken') return 'The connection was lost. Connecting again...'
  if (state === 'connecting') return 'Connecting...'
  return isPaused ? 'Paused' : 'Live'
}

interface LiveTableProps {
  readonly rows: readonly LiveRow[]
  readonly onScrolled: (isAway: boolean) => void
}

function LiveTable({ rows, onScrolled }: LiveTableProps) {
  return (
    <div
      className="live-rows"
      role="region"
      aria-label="Queries of the last 60 seconds"
      // It scrolls.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => onScrolled(currentTarget.scrollTop > 0)}
    >
      <table>
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.key} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LiveCardProps {
  /** Undefined: all domains. */
  readonly domainId: string | undefined
  readonly onClose: () => void
}

export default function LiveCard({ domainId, onClose }: LiveCardProps) {
  const [isPaused, setPaused] = useState(false)
  const card = useRef<HTMLElement>(null)
  const live = useLiveQueries(isPaused)
  const rows = live.rows.filter(({ domain_id }) => domainId === undefined || domain_id === domainId)
  const sampled = sampledText(rows)
  function resume(): void {
    setPaused(false)
    const list = card.current?.querySelector('.live-rows')
    if (list) list.scrollTop = 0
  }
  return (
    <section ref={card} className="card section-card" aria-labelledby="live-title">
      <div className="query-panel-head">
        <h2 id="live-title" tabIndex={-1}>
          Real-time Queries
        </h2>
        <div className="query-actions">
          <button
            type="button"
            className="line-button"
            onClick={isPaused ? resume : () => setPaused(true)}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" className="line-button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <p role="status" className="muted">
        {stateText(live, isPaused)}
        {isPaused && live.waiting > 0 && ` · ${counted(live.waiting, 'new query', 'new queries')}`}
      </p>
      {sampled !== undefined && <p className="live-sampled">{sampled}</p>}
      {rows.length === 0 ? (
        <p>
          No queries within the last 60 seconds. They appear here a second or two after they arrive.
        </p>
      ) : (
        <LiveTable rows={rows} onScrolled={setPaused} />
      )}
      <p className="muted query-sources">
        At most {SHOWN_LIMIT} lines. Client networks are shortened to /24 for IPv4 and /48 for IPv6.
      </p>
    </section>
  )
}
