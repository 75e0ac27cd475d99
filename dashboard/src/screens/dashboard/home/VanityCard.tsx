/** The vanity name servers, for plans that include them: whether they work, and the way to them. */
import { counted } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import type { Me } from '../../../api/account.ts'
import { type VanityStatus, vanityQuery } from '../../../api/own-zones.ts'
import { hashOf } from '../../../routes.ts'

/** What the user does next on their screen. */
function linkText(status: VanityStatus | undefined): string {
  if (status?.configured !== true) return 'Set up name servers'
  return status.verified ? 'Manage name servers' : 'Verify name servers'
}

function stateText({ nameservers, verified, zones_count }: VanityStatus): string {
  if (nameservers === null) return 'Give your own domains name servers such as ns1.example.com.'
  const names = `${nameservers.ns1.hostname} and ${nameservers.ns2.hostname}`
  if (!verified) return `${names} are not verified yet.`
  const use =
    zones_count === 0 ? '' : ` ${counted(zones_count, 'own zone uses', 'own zones use')} them.`
  return `${names} are active.${use}`
}

function State() {
  const { data: status, error, refetch } = useQuery(vanityQuery)
  if (status !== undefined) return <p className="muted">{stateText(status)}</p>
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return <span className="skeleton" />
}

export function VanityCard({ me }: { readonly me: Me | undefined }) {
  const isIncluded = me?.limits.abilities.includes('vanity_ns') === true
  const { data: status } = useQuery({ ...vanityQuery, enabled: isIncluded })
  if (!isIncluded) return null
  return (
    <section className="card forward-panel" aria-labelledby="vanity-card-title">
      <div className="forward-panel-head">
        <h2 id="vanity-card-title">Vanity Name Servers</h2>
        <a href={hashOf('vanity-nameservers')}>
          {linkText(status)}
          <Icon name="forward" size={16} />
        </a>
      </div>
      <State />
    </section>
  )
}
