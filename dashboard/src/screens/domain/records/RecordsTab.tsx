/** The records at and below the domain. */
import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import RecordsPanel from '../../records/RecordsPanel.tsx'
import { type Reason, reasonsOf } from '../overview/status-words.ts'

const NOT_SERVED: Readonly<Record<Reason, string>> = {
  locked:
    'An administrator locked this domain. DNS does not serve its records, and they cannot be changed. Please contact support.',
  owner_blocked:
    'Your account is disabled, so DNS does not serve the records. Please contact support.',
  over_limit:
    'DNS does not serve the records, because the domain is over the limit of your plan. You can change them.',
  paused:
    'The domain is paused, so DNS does not serve its records. You can change them; DNS serves them when you resume the domain.',
}

function placeOf(domain: Domain): RecordPlace {
  const [reason] = reasonsOf(domain)
  const notServed = reason && NOT_SERVED[reason]
  const isLocked = reason === 'locked'
  return {
    kind: 'domain',
    id: domain.id,
    apex: domain.fqdn,
    canEdit: !isLocked,
    reasonNot: isLocked ? notServed : undefined,
    notServed,
  }
}

/** A wildcard has no records of its own: `*` is an owner name of its base. */
function OfBase({ domain: { fqdn } }: { readonly domain: Domain }) {
  const base = fqdn.slice(2)
  return (
    <section className="card section-card" aria-labelledby="records-title">
      <h2 id="records-title">Records</h2>
      <p>
        The records of {fqdn} belong to {base}: their name there is <code>*</code>.
      </p>
      <p>
        <a className="section-link" href={domainHash(base, { tab: 'records' })}>
          Records of {base}
        </a>
      </p>
    </section>
  )
}

export default function RecordsTab({ domain }: { readonly domain: Domain }) {
  return domain.is_wildcard ? <OfBase domain={domain} /> : <RecordsPanel place={placeOf(domain)} />
}
