import { useNow } from '@homing/theme/parts/use-now.ts'
import { useQuery } from '@tanstack/react-query'
import type { Domain } from '../../../api/domains.ts'
import { callsQuery, type UpdateCall } from '../../../api/update-calls.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { NewItems } from '../NewItems.tsx'
import { useHeldList } from '../use-held-list.ts'
import { CallItem } from './CallItem.tsx'

/** How often the ages of the calls are updated. */
const TICK_MS = 10_000

function Empty({ onHowTo }: { readonly onHowTo: () => void }) {
  return (
    <>
      <p>No router or program has sent an update for this domain within the last 30 days.</p>
      <button type="button" className="line-button fit" onClick={onHowTo}>
        Set Up a Router
      </button>
    </>
  )
}

interface CallsTabProps {
  readonly domain: Domain
  readonly onHowTo: () => void
}

function Calls({
  calls,
  onHowTo,
}: { readonly calls: readonly UpdateCall[] } & Pick<CallsTabProps, 'onHowTo'>) {
  const { items, waiting, show, list } = useHeldList(calls)
  const nowMs = useNow(TICK_MS)
  return (
    <section className="card section-card" aria-labelledby="calls-title">
      <div className="domain-card-head">
        <h2 id="calls-title">Update Calls</h2>
        <NewItems waiting={waiting} what="call" onShow={show} />
      </div>
      {calls.length === 0 ? (
        <Empty onHowTo={onHowTo} />
      ) : (
        <>
          <p className="muted">
            The last 50 calls and the last 10 with refused credentials. Equal calls in a row are one
            entry.
          </p>
          <ul ref={list} className="domain-events" aria-labelledby="calls-title">
            {items.map((call) => (
              <CallItem key={call.id} call={call} nowMs={nowMs} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** The update calls for the domain and the responses. */
export function CallsTab({ domain, onHowTo }: CallsTabProps) {
  const query = useQuery(callsQuery(domain.id))
  return <Loaded query={query}>{(calls) => <Calls calls={calls} onHowTo={onHowTo} />}</Loaded>
}
