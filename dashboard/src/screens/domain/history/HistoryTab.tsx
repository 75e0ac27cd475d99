import { useInfiniteQuery } from '@tanstack/react-query'
import { eventsQuery } from '../../../api/domain-history.ts'
import type { Domain } from '../../../api/domains.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { HistoryList, OlderChanges, TITLE_ID } from './HistoryList.tsx'
import { UndoButton } from './UndoButton.tsx'

/** Everything that happened to the domain. */
export function HistoryTab({ domain }: { readonly domain: Domain }) {
  const query = useInfiniteQuery(eventsQuery(domain.id))
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = query
  // A failure of older changes is shown below the list, where they were requested.
  const ownError = isFetchNextPageError ? null : error
  const isLocked = domain.withheld_by.includes('locked')
  return (
    <Loaded query={{ data, error: ownError, dataUpdatedAt, fetchStatus, refetch }}>
      {({ pages }) => (
        <section className="card section-card" aria-labelledby={TITLE_ID}>
          <HistoryList
            events={pages.flatMap(({ events }) => events)}
            locked={
              isLocked
                ? 'An administrator locked this domain, so its changes cannot be undone.'
                : undefined
            }
            empty="Nothing has happened within the last 400 days."
            undoOf={(event, onUndone) => (
              <UndoButton domainId={domain.id} event={event} onUndone={onUndone} />
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
