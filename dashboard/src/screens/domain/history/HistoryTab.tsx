import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type DomainEvent, eventsQuery } from '../../../api/domain-history.ts'
import type { Domain } from '../../../api/domains.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { NewItems } from '../NewItems.tsx'
import { useHeldList } from '../use-held-list.ts'
import { EventItem } from './EventItem.tsx'
import { isUndoable, undoneIn } from './event-words.ts'

const MINUTE_MS = 60_000
const TITLE_ID = 'history-title'

interface EventsProps {
  readonly domain: Domain
  readonly events: readonly DomainEvent[]
}

function Events({ domain, events }: EventsProps) {
  const { items, waiting, show, expectNew, list } = useHeldList(events)
  const nowMs = useNow(MINUTE_MS)
  const undone = undoneIn(events)
  const isLocked = domain.withheld_by.includes('locked')
  // The button that undid a change disappears.
  const follow = () => {
    expectNew()
    document.getElementById(TITLE_ID)?.focus()
  }
  return (
    <>
      <div className="domain-card-head">
        <h2 id={TITLE_ID} tabIndex={-1}>
          History
        </h2>
        <NewItems waiting={waiting} what="change" onShow={show} />
      </div>
      {isLocked && (
        <p className="muted">
          An administrator locked this domain, so its changes cannot be undone.
        </p>
      )}
      {items.length === 0 && <p>Nothing has happened within the last 400 days.</p>}
      <ul ref={list} className="domain-events" aria-labelledby={TITLE_ID}>
        {items.map((event) => (
          <EventItem
            key={event.id}
            domainId={domain.id}
            event={event}
            isUndone={undone.has(event.id)}
            canUndo={!isLocked && isUndoable(event, nowMs)}
            nowMs={nowMs}
            onUndone={follow}
          />
        ))}
      </ul>
    </>
  )
}

interface OlderProps {
  /** Why older changes could not be read. */
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onShow: () => void
}

function Older({ error, isBusy, onShow }: OlderProps) {
  if (error !== null) return <Failure error={error} onRetry={onShow} />
  return (
    <button
      type="button"
      className="line-button fit"
      aria-disabled={isBusy}
      onClick={() => isBusy || onShow()}
    >
      {isBusy ? 'Loading...' : 'Show Older Changes'}
    </button>
  )
}

/** Everything that happened to the domain. */
export function HistoryTab({ domain }: { readonly domain: Domain }) {
  const query = useInfiniteQuery(eventsQuery(domain.id))
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = query
  // A failure of older changes is shown below the list, where they were requested.
  const ownError = isFetchNextPageError ? null : error
  return (
    <Loaded query={{ data, error: ownError, dataUpdatedAt, fetchStatus, refetch }}>
      {({ pages }) => (
        <section className="card section-card" aria-labelledby={TITLE_ID}>
          <Events domain={domain} events={pages.flatMap(({ events }) => events)} />
          {hasNextPage && (
            <Older
              error={isFetchNextPageError ? error : null}
              isBusy={isFetchingNextPage}
              onShow={() => void fetchNextPage()}
            />
          )}
        </section>
      )}
    </Loaded>
  )
}
