/** Queries as they arrive: the last 60 seconds, at most 200 lines. Scrolling pauses it. */
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { clockText, counted } from '@homing/theme/formats'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { type LiveRow, SHOWN_LIMIT, sampledText } from './live-rows.ts'
import { type LiveQueries, useLiveQueries } from './use-live-queries.ts'

const COLUMNS = ['Time', 'Name', 'Type', 'Answer', 'Transport', 'Client network'] as const

const Line = memo(function Line({ row }: { readonly row: LiveRow }) {
  const { at, qname, type, rcode, transport, network } = row
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <time dateTime={at}>{clockText(at)}</time>
      </th>
      <td role="cell" className="live-name">
        {qname}
      </td>
      <td role="cell">{type}</td>
      <td role="cell">{rcode}</td>
      <td role="cell">{transport.toUpperCase()}</td>
      <td role="cell" className="monospace">
        {network}
      </td>
    </tr>
  )
})

function stateText({ state }: LiveQueries, isPaused: boolean): string {
  if (state === 'ended') return 'Your session has ended. Sign in, and open this list again.'
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
      {/* The roles remain when narrow windows change the display of the rows. */}
      <table role="table">
        <ColumnTitles titles={COLUMNS} />
        <tbody role="rowgroup">
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

/** Gives the focus to the heading if the control that had it is gone. */
function useFocusOf(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [heading])
}

/** The list is paused by its button, and while it is scrolled. */
function usePause() {
  const [isHeld, setHeld] = useState(false)
  const [isAway, setAway] = useState(false)
  const card = useRef<HTMLElement>(null)
  function resume(): void {
    setHeld(false)
    setAway(false)
    const list = card.current?.querySelector('.live-rows')
    if (list) list.scrollTop = 0
  }
  const isPaused = isHeld || isAway
  return { card, isPaused, press: isPaused ? resume : () => setHeld(true), setAway } as const
}

export default function LiveCard({ domainId, onClose }: LiveCardProps) {
  const { card, isPaused, press, setAway } = usePause()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOf(heading)
  const live = useLiveQueries(isPaused)
  const rows = live.rows.filter(({ domain_id }) => domainId === undefined || domain_id === domainId)
  const sampled = sampledText(rows)
  return (
    <section ref={card} className="card section-card" aria-labelledby="live-title">
      <div className="query-panel-head">
        <h2 id="live-title" ref={heading} tabIndex={-1}>
          Real-time Queries
        </h2>
        <div className="query-actions">
          <button type="button" className="line-button" onClick={press}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" className="line-button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <p className="muted">
        <span role="status">{stateText(live, isPaused)}</span>
        {/* Not announced: it can change twice a second. */}
        {live.waiting > 0 && <span> · {counted(live.waiting, 'new query', 'new queries')}</span>}
      </p>
      {sampled !== undefined && <p className="live-sampled">{sampled}</p>}
      {rows.length === 0 ? (
        <p>
          No queries within the last 60 seconds. They appear here a second or two after they arrive.
        </p>
      ) : (
        <LiveTable rows={rows} onScrolled={setAway} />
      )}
      <p className="muted query-sources">
        At most {SHOWN_LIMIT} lines. Client networks are shortened to /24 for IPv4 and /48 for IPv6.
      </p>
    </section>
  )
}
