import { count, spanText } from '@homing/theme/formats'
import type { Me } from '../../api/account.ts'

/** As large as the real cards, so that the layout does not shift. */
function CardSkeleton() {
  return (
    <div className="card stat">
      <span className="skeleton skeleton-text" />
      <span className="skeleton skeleton-figure" />
      <span className="skeleton skeleton-text" />
    </div>
  )
}

/** The limits of the plan, and how much of them is used. */
export function StatCards({ me }: { readonly me: Me | undefined }) {
  if (me === undefined) {
    return (
      <div className="stats" aria-hidden="true">
        <CardSkeleton />
        <CardSkeleton />
      </div>
    )
  }
  const { domain_count: used, domain_limit: limit, ttl } = me.limits
  return (
    <dl className="stats">
      <div className="card stat">
        <dt>Active Domains</dt>
        <dd>
          <span className="figure">{count(used)}</span> <span>of {count(limit)} allowed</span>
        </dd>
        <dd>
          <meter
            className={used >= limit ? 'meter meter-full' : 'meter'}
            min={0}
            max={Math.max(limit, 1)}
            value={Math.min(used, limit)}
            aria-label="Domains used"
          />
        </dd>
      </div>
      <div className="card stat">
        <dt>TTL</dt>
        <dd>
          <span className="figure">{spanText(ttl)}</span>
        </dd>
        <dd className="muted">How long resolvers cache an address.</dd>
      </div>
    </dl>
  )
}
