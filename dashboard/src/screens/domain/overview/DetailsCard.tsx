import { dayText } from '@homing/theme/formats'
import type { Domain } from '../../../api/domains.ts'
import { domainHash, hashOf } from '../../../routes.ts'
import { Place } from '../../../components/Place.tsx'

function Wildcard({ domain: { fqdn, is_wildcard, wildcard_enabled } }: DetailsCardProps) {
  if (is_wildcard) {
    const base = fqdn.slice(2)
    return (
      <>
        <dt>Wildcard of</dt>
        <dd>
          <a className="section-link" href={domainHash(base)}>
            {base}
          </a>
        </dd>
        <dd className="field-help">
          The wildcard uses the addresses of that domain and is paused with it.
        </dd>
      </>
    )
  }
  return (
    <>
      <dt>Wildcard</dt>
      {wildcard_enabled ? (
        <>
          <dd>
            <a className="section-link" href={domainHash(`*.${fqdn}`)}>
              Wildcard Active
            </a>
          </dd>
          <dd className="field-help">
            Every name below {fqdn} that does not exist has the same addresses.
          </dd>
        </>
      ) : (
        <dd className="muted">None</dd>
      )}
    </>
  )
}

interface DetailsCardProps {
  readonly domain: Domain
}

/** What does not change from day to day. */
export function DetailsCard({ domain }: DetailsCardProps) {
  const { id, zone, created_at, created_cc } = domain
  return (
    <section className="card section-card" aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <dl className="section-facts">
        <div>
          <dt>Zone</dt>
          <dd className="monospace">{zone}</dd>
        </div>
        <div>
          <Wildcard domain={domain} />
        </div>
        <div>
          <dt>DNS queries</dt>
          <dd>
            <a className="section-link" href={hashOf('analytics', { domain: id })}>
              How often it is queried
            </a>
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            {dayText(created_at)}
            {created_cc !== null && (
              <>
                {' '}
                from <Place country={created_cc} />
              </>
            )}
          </dd>
        </div>
      </dl>
    </section>
  )
}
