import { Icon, type IconName } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../../api/account.ts'
import type { Domain } from '../../../api/domains.ts'
import { plansQuery } from '../../../api/plans.ts'
import { plansFor, plansWith } from '../../frame/plan-words.ts'
import { PauseButton } from './PauseButton.tsx'
import {
  type DomainStatus,
  type Reason,
  reasonsOf,
  STATUS_TITLES,
  statusOf,
} from './status-words.ts'

interface Look {
  readonly icon: IconName
  readonly className: string
}

const WITHHELD: Look = { icon: 'failure', className: 'domain-status domain-status-withheld' }
const QUIET: Look = { icon: 'pause', className: 'domain-status' }

const LOOKS: Readonly<Record<DomainStatus, Look>> = {
  active: { icon: 'success', className: 'domain-status domain-status-active' },
  'no-address': { icon: 'info', className: 'domain-status' },
  paused: QUIET,
  locked: WITHHELD,
  owner_blocked: WITHHELD,
  over_limit: WITHHELD,
}

/** The domain is over the limit of the plan, and which plan lifts it. */
function OverLimit({ isWildcard }: { readonly isWildcard: boolean }) {
  const { data: me } = useQuery(meQuery)
  const { data: plans } = useQuery(plansQuery)
  const limits = me?.limits
  const compare = <a href="/pricing">Compare plans</a>
  if (isWildcard) {
    return (
      <p>
        Your plan does not include this wildcard. It works again with {plansWith('wildcard', plans)}
        . {compare}
      </p>
    )
  }
  return (
    <p>
      {limits === undefined
        ? 'Your plan includes fewer domains than you have.'
        : `Your plan includes ${limits.domain_limit} domains, and you have ${limits.domain_count}.`}{' '}
      DNS does not answer for this one, but it is kept. It works again with{' '}
      {limits === undefined ? 'a larger plan' : plansFor(limits.domain_count, plans)}, or when you
      delete other domains. {compare}
    </p>
  )
}

const TEXTS: Readonly<Record<Exclude<Reason, 'over_limit'>, string>> = {
  locked:
    'An administrator locked this domain. DNS does not answer for it, and updates are refused. Please contact support.',
  owner_blocked:
    'Your account is disabled, so DNS does not answer for its domains. Please contact support.',
  paused:
    'DNS does not answer for this domain. Updates are stored, and apply when you resume the domain.',
}

interface StatusCardProps {
  readonly domain: Domain
  readonly onHowTo: () => void
}

/** What DNS answers for a domain that it serves. */
function answerText({ is_wildcard, is_forwarded, fqdn }: Domain): string {
  if (is_wildcard) return `DNS answers for every name below ${fqdn.slice(2)} that does not exist.`
  return is_forwarded
    ? 'The domain is forwarded, so DNS answers with the addresses of the forwarding server.'
    : 'DNS answers with the addresses of this domain.'
}

function Why({ domain, onHowTo }: StatusCardProps) {
  const { is_wildcard } = domain
  const status = statusOf(domain)
  if (status === 'active') return <p>{answerText(domain)}</p>
  if (status === 'no-address') {
    return (
      <p>
        DNS has no address for this domain yet. Set one here, or{' '}
        <button type="button" className="text-button domain-inline" onClick={onHowTo}>
          set up your router
        </button>{' '}
        to send it.
      </p>
    )
  }
  return reasonsOf(domain).map((reason) =>
    reason === 'over_limit' ? (
      <OverLimit key={reason} isWildcard={is_wildcard} />
    ) : (
      <p key={reason}>{TEXTS[reason]}</p>
    ),
  )
}

/** Whether DNS serves the domain, why not, and what to do about it. */
export function StatusCard({ domain, onHowTo }: StatusCardProps) {
  const status = statusOf(domain)
  const { icon, className } = LOOKS[status]
  return (
    <section className="card section-card" aria-labelledby="status-title">
      <div className="domain-card-head">
        <h2 id="status-title">Status</h2>
        <span className={className}>
          <Icon name={icon} size={16} />
          {STATUS_TITLES[status]}
        </span>
      </div>
      <Why domain={domain} onHowTo={onHowTo} />
      {!domain.is_wildcard && <PauseButton domain={domain} />}
    </section>
  )
}
