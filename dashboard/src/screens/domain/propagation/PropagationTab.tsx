/** What each name server of the zone answers for the domain. */
import { ageText, spanText, timeText } from '@homing/theme/formats'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Domain } from '../../../api/domains.ts'
import { type Propagation, propagationQuery } from '../../../api/propagation.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { ServerTable } from './ServerTable.tsx'
import { toneOf } from './state-looks.ts'
import './propagation.css'

/** How often the age of the check is updated. */
const TICK_MS = 1_000

/** When the servers were asked, and for how long resolvers can answer otherwise. */
function About({ found, ttl }: { readonly found: Propagation; readonly ttl: number }) {
  const nowMs = useNow(TICK_MS)
  const { published_serial, zone, checked_at } = found
  return (
    <p className="muted">
      {published_serial !== null && (
        <>
          The newest serial of {zone} is {published_serial}. Checked{' '}
          <time dateTime={checked_at} title={timeText(checked_at)}>
            {ageText(checked_at, nowMs)}
          </time>
          .{' '}
        </>
      )}
      Resolvers and devices can keep an earlier answer for up to {spanText(ttl)}.
    </p>
  )
}

interface FoundProps {
  readonly found: Propagation
  readonly ttl: number
  /** Whether the domain has changed since. */
  readonly isFormer: boolean
}

function Found({ found, ttl, isFormer }: FoundProps) {
  return (
    <>
      {isFormer ? (
        <Message tone="info">
          <p>The domain has changed. Asking every name server again…</p>
        </Message>
      ) : (
        <Message tone={toneOf(found)}>
          <p>{found.message}</p>
        </Message>
      )}
      {found.servers.length > 0 && <ServerTable servers={found.servers} isFormer={isFormer} />}
      <About found={found} ttl={ttl} />
    </>
  )
}

/** Has about the size of a check of two servers. Most checks are too fast for it to appear. */
function Placeholder() {
  return (
    <div className="section-skeleton propagation-placeholder">
      <Waiting>Asking every name server…</Waiting>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton skeleton-text" />
    </div>
  )
}

export default function PropagationTab({ domain }: { readonly domain: Domain }) {
  const query = useQuery({ ...propagationQuery(domain), placeholderData: keepPreviousData })
  const { isFetching, isPlaceholderData, refetch } = query
  async function checkAgain() {
    if (isFetching) return
    const { data } = await refetch()
    // The sentence on the page is often the same as before, so screen readers would not read it.
    if (data !== undefined) announce(data.message)
  }
  return (
    <section className="card section-card" aria-labelledby="propagation-title">
      <div className="domain-card-head">
        <h2 id="propagation-title">Propagation</h2>
        <button
          type="button"
          className="line-button"
          aria-disabled={isFetching}
          onClick={() => void checkAgain()}
        >
          <Icon name="rotate" size={16} />
          {isFetching ? 'Checking…' : 'Check Again'}
        </button>
      </div>
      <Loaded
        query={query}
        failure="The name servers could not be asked"
        placeholder={<Placeholder />}
      >
        {(found) => <Found found={found} ttl={domain.ttl} isFormer={isPlaceholderData} />}
      </Loaded>
    </section>
  )
}
