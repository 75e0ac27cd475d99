import { ageText, timeText } from '@homing/theme/formats'
import { Fragment, memo, useRef } from 'react'
import type { Domain } from '../../api/domains.ts'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { domainHash } from '../../routes.ts'

export type RowAction = 'update' | 'how-to' | 'wildcard' | 'delete'

interface DomainRowProps {
  readonly domain: Domain
  /** Rounded, so that a row renders again only when its text changes. */
  readonly nowMs: number
  readonly onAction: (action: RowAction, domain: Domain) => void
}

/** Lets long addresses wrap between groups, not inside a group. */
function withBreaks(address: string) {
  return address.split(/(?<=:)/).map((group, at) => (
    // The order of an address's groups never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ))
}

function Address({ address, fqdn }: { readonly address: string; readonly fqdn: string }) {
  const text = useRef<HTMLSpanElement>(null)
  return (
    <span className="address">
      <span ref={text} className="monospace">
        {withBreaks(address)}
      </span>
      <CopyButton text={address} what={`${address} of ${fqdn}`} shownIn={() => text.current} />
    </span>
  )
}

function CurrentIp({ record_ipv4, record_ipv6, fqdn }: Domain) {
  const addresses = [record_ipv4, record_ipv6].filter((address) => address !== null)
  if (addresses.length === 0) return <span className="muted">Not set</span>
  return addresses.map((address) => <Address key={address} address={address} fqdn={fqdn} />)
}

function Age({ time, nowMs }: { readonly time: string | null; readonly nowMs: number }) {
  if (time === null) return <span className="muted">Never</span>
  return (
    <time dateTime={time} title={timeText(time)}>
      {ageText(time, nowMs)}
    </time>
  )
}

function Actions({ domain, onAction }: Pick<DomainRowProps, 'domain' | 'onAction'>) {
  const { fqdn, is_wildcard, wildcard_enabled } = domain
  return (
    <>
      {is_wildcard ? (
        <span className="muted follows">Follows {fqdn.slice(2)}</span>
      ) : (
        <button
          type="button"
          className="row-button"
          aria-label={`Update ${fqdn}`}
          onClick={() => onAction('update', domain)}
        >
          <Icon name="edit" size={16} />
          Update
        </button>
      )}
      {!is_wildcard && (
        <button
          type="button"
          className="row-button"
          aria-label={`How to Update ${fqdn}`}
          onClick={() => onAction('how-to', domain)}
        >
          <Icon name="router" size={16} />
          How to Update
        </button>
      )}
      {!is_wildcard && !wildcard_enabled && (
        <button
          type="button"
          className="row-button"
          aria-label={`Add Wildcard ${fqdn}`}
          onClick={() => onAction('wildcard', domain)}
        >
          <Icon name="add" size={16} />
          Add Wildcard
        </button>
      )}
      <button
        type="button"
        className="row-button row-button-danger"
        aria-label={`Delete ${fqdn}`}
        onClick={() => onAction('delete', domain)}
      >
        <Icon name="remove" size={16} />
        Delete
      </button>
    </>
  )
}

/**
 * One domain. Uses only native elements: on a slow phone, 50 rows of styled components take more
 * than a second at each keystroke in the search field.
 */
export const DomainRow = memo(function DomainRow({ domain, nowMs, onAction }: DomainRowProps) {
  const { fqdn, zone, is_active, is_wildcard, wildcard_enabled } = domain
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className="cell-domain">
        <div>
          <a className="monospace domain-link" href={domainHash(fqdn)}>
            {fqdn}
          </a>
          {is_wildcard && <span className="badge">Wildcard</span>}
          {wildcard_enabled && <span className="badge">Wildcard Active</span>}
        </div>
      </th>
      <td role="cell" className="cell-zone" data-label="Zone">
        {zone}
      </td>
      <td role="cell" data-label="Status">
        <span className={is_active ? 'status status-ok' : 'status status-off'}>
          <Icon name={is_active ? 'success' : 'pause'} size={16} />
          {is_active ? 'Active' : 'Inactive'}
        </span>
      </td>
      <td role="cell" className="cell-ip" data-label="Current IP">
        <div>
          <CurrentIp {...domain} />
        </div>
      </td>
      <td role="cell" className="cell-age" data-label="Updated">
        <Age time={domain.last_update_at} nowMs={nowMs} />
      </td>
      <td role="cell" className="cell-actions">
        <div>
          <Actions domain={domain} onAction={onAction} />
        </div>
      </td>
    </tr>
  )
})
