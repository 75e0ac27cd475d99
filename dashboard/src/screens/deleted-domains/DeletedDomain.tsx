import { ageText, counted, dayText, enumeration, timeText } from '@homing/theme/formats'
import type { RestorableDomain } from '../../api/deleted-domains.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { RestoreButton } from './RestoreButton.tsx'

/** What the domain has again when it is restored; undefined for a domain without any of it. */
function contentsOf(domain: RestorableDomain): string | undefined {
  const {
    record_ipv4,
    record_ipv6,
    has_wildcard,
    has_update_token,
    records,
    has_web_forward,
    has_monitor,
  } = domain
  const contents = [
    record_ipv4,
    record_ipv6,
    has_wildcard ? 'its wildcard' : null,
    has_update_token ? 'its update token' : null,
    records > 0 ? `its ${counted(records, 'record')}` : null,
    has_web_forward ? 'its web forward' : null,
    has_monitor ? 'its monitor' : null,
  ].filter((content) => content !== null)
  return contents.length === 0 ? undefined : enumeration(contents)
}

interface DeletedDomainProps {
  readonly domain: RestorableDomain
  readonly nowMs: number
}

/** One deleted domain of the list. */
export function DeletedDomain({ domain, nowMs }: DeletedDomainProps) {
  const { fqdn, deleted_at, restorable_until } = domain
  const contents = contentsOf(domain)
  return (
    <li className="section-row">
      <div>
        <p className="deleted-domain-name">
          <DomainName fqdn={fqdn} />
        </p>
        <p className="muted">
          Deleted{' '}
          <time dateTime={deleted_at} title={timeText(deleted_at)}>
            {ageText(deleted_at, nowMs)}
          </time>
          . Can be restored until {dayText(restorable_until)}
          {contents !== undefined && `, with ${contents}`}.
        </p>
      </div>
      <RestoreButton
        domain={domain}
        // The button disappears with its row.
        onRestored={() => document.querySelector<HTMLElement>('h1')?.focus()}
      />
    </li>
  )
}
