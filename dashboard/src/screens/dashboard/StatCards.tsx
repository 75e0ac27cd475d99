import type { Me } from '../../api/account.ts'
import { ttlText } from './spans.ts'

/** As large as the cards that follow, so that nothing moves. */
function CardSkeleton() {
  return (
    <div className="card stat">
      <span className="skeleton skeleton-text" />
      <span className="skeleton skeleton-figure" />
      <span className="skeleton skeleton-text" />
    </div>
  )
}

/** What the plan holds and how much of it is used. */
export function StatCards({ me }: { readonly me: Me | undefined }) {
  if (me === undefined) {
    return (
      <div className="stats" aria-hidden="true">
        <CardSkeleton />
        <CardSkeleton />
      </div>
    )
  }
  const { domain_count: count, domain_limit: limit, ttl } = me.limits
  return (
    <dl className="stats">
      <div className="card stat">
        <dt>Active Domains</dt>
        <dd>
          <span className="figure">{count}</span> <span>of {limit} allowed</span>
        </dd>
        <dd>
          <meter
            className={count >= limit ? 'meter meter-full' : 'meter'}
            min={0}
            max={Math.max(limit, 1)}
            value={Math.min(count, limit)}
            aria-label="Domains used"
          />
        </dd>
      </div>
      <div className="card stat">
        <dt>TTL</dt>
        <dd>
          <span className="figure">{ttlText(ttl)}</span>
        </dd>
        <dd className="muted">Resolvers keep an address for so long.</dd>
      </div>
    </dl>
  )
}
