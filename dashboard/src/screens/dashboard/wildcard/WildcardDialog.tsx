import { useQuery, useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../api/account.ts'
import { createWildcard, type Domain, foundDomainsQuery } from '../../../api/domains.ts'
import { plansQuery } from '../../../api/plans.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { plansWith } from '../../frame/plan-words.ts'
import { reloadDomains } from '../reload-domains.ts'
import { wildcardExamples } from './wildcard-examples.ts'
import './wildcard.css'

interface WildcardDialogProps {
  /** The base domain. */
  readonly domain: Domain
  readonly onClose: () => void
  /** Opens the dialog in which the base domain gets an address. */
  readonly onUpdate: () => void
}

/** The plan does not include wildcards: which plans do. */
function NotInPlan() {
  const { data: plans } = useQuery(plansQuery)
  return (
    <Message tone="warn">
      <p>Your plan does not include wildcards. They are part of {plansWith('wildcard', plans)}.</p>
      <a href="/pricing">Compare plans</a>
    </Message>
  )
}

function NoAddress({ fqdn, onUpdate }: { readonly fqdn: string; readonly onUpdate: () => void }) {
  return (
    <Message
      tone="warn"
      action={
        <button type="button" className="text-button" onClick={onUpdate}>
          Set an Address
        </button>
      }
    >
      <p>{fqdn} has no IP address, which the wildcard would use. Set one first.</p>
    </Message>
  )
}

function Examples({ domain }: { readonly domain: Domain }) {
  const { data: found = [] } = useQuery(foundDomainsQuery(`.${domain.fqdn}`))
  const below = found.find(({ fqdn, is_wildcard }) => {
    return !is_wildcard && fqdn.endsWith(`.${domain.fqdn}`)
  })
  return (
    <table className="wildcard-examples">
      <caption>For example</caption>
      <tbody>
        {wildcardExamples(domain, below?.fqdn).map(({ name, rule }) => (
          <tr key={name}>
            <th scope="row" className="monospace">
              {name}
            </th>
            <td>{rule}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export default function WildcardDialog({ domain, onClose, onUpdate }: WildcardDialogProps) {
  const { fqdn, record_ipv4, record_ipv6, is_wildcard, wildcard_enabled } = domain
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => createWildcard(fqdn),
    onSuccess(made) {
      void reloadDomains(queries)
      notify({ kind: 'success', text: `${made.fqdn} was created and is live in DNS.` })
      onClose()
    },
  })
  const addresses = [record_ipv4, record_ipv6].filter((address) => address !== null)
  const hasNoAddress = addresses.length === 0
  const isNotInPlan = me !== undefined && !me.limits.abilities.includes('wildcard')
  const hasWildcard = is_wildcard || wildcard_enabled
  return (
    <Modal
      title={`Create wildcard for ${fqdn}`}
      width="sm"
      submit={{ label: 'Create Wildcard', busyLabel: 'Creating...' }}
      isBusy={isPending}
      isDisabled={hasNoAddress || isNotInPlan || hasWildcard}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {isNotInPlan && <NotInPlan />}
      {hasWildcard && <Message tone="info">{fqdn} already has a wildcard.</Message>}
      {hasNoAddress && !isNotInPlan && <NoAddress fqdn={fqdn} onUpdate={onUpdate} />}
      {error && <Failure error={error} otherwise="Failed to create wildcard" />}
      <p>
        <strong className="monospace">*.{fqdn}</strong> matches any undefined subdomain of {fqdn}.
        Existing records take priority.
      </p>
      {!hasNoAddress && (
        <p>
          It uses the base domain’s IP, now{' '}
          <span className="monospace">{addresses.join(', ')}</span>, and follows it.
        </p>
      )}
      <Examples domain={domain} />
    </Modal>
  )
}
