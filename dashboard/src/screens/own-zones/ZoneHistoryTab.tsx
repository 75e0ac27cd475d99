/** The changes of the zone's records. Those of a domain in the zone are on the page of the domain. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { OwnZone } from '../../api/own-zones.ts'
import { zoneEventsQuery } from '../../api/zone-history.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { HistoryList, OlderChanges, TITLE_ID } from '../domain/history/HistoryList.tsx'
import { ZoneUndoButton } from '../domain/history/UndoButton.tsx'

function Changes({ zone: { id, state } }: { readonly zone: OwnZone }) {
  const query = useInfiniteQuery(zoneEventsQuery(id))
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = query
  // A failure of older changes is shown below the list, where they were requested.
  const ownError = isFetchNextPageError ? null : error
  return (
    <Loaded query={{ data, error: ownError, dataUpdatedAt, fetchStatus, refetch }}>
      {({ pages }) => (
        <section className="card section-card" aria-labelledby={TITLE_ID}>
          <HistoryList
            events={pages.flatMap(({ events }) => events)}
            locked={
              state === 'withheld'
                ? 'The plan does not include own zones, so changes cannot be undone.'
                : undefined
            }
            empty="No record has changed within the last 400 days. Changes of domains in the zone are on the pages of the domains."
            undoOf={(event, onUndone) => (
              <ZoneUndoButton zoneId={id} event={event} onUndone={onUndone} />
            )}
          />
          {hasNextPage && (
            <OlderChanges
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

export function ZoneHistoryTab({ zone }: { readonly zone: OwnZone }) {
  if (zone.state !== 'pending') return <Changes zone={zone} />
  return (
    <section className="card section-card" aria-labelledby={TITLE_ID}>
      <h2 id={TITLE_ID}>History</h2>
      <p>The history begins when the zone is active.</p>
    </section>
  )
}
