import { memo } from 'react'
import type { Domain } from '../../api/domains.ts'
import { lockOf } from '../frame/lock-words.ts'
import { AddressCell, type EditHandlers } from './table/AddressCell.tsx'
import { MonitorCell } from './table/MonitorCell.tsx'
import { NameCell } from './table/NameCell.tsx'
import { StatusCell, statusId } from './table/StatusCell.tsx'
import { TtlCell, UpdatedCell } from './table/UpdatedCell.tsx'
import { ZoneCell } from './table/ZoneCell.tsx'
import type { NameClient } from './table/use-client-name.ts'
import type { InlineEdit } from './table/use-inline-edit.ts'
import type { RowAction } from './table/row-menu-items.ts'

/** What rows ask the table for. The same object each time. */
export interface RowHandlers {
  readonly edit: EditHandlers
  readonly onAction: (action: RowAction, domain: Domain) => void
  readonly onMenu: (domain: Domain, button: HTMLElement) => void
  readonly onSelect: (domain: Domain, isSelected: boolean) => void
  readonly onTag: (tag: string) => void
  readonly onMonitor: (domain: Domain, enable: boolean) => void
}

interface DomainRowProps {
  readonly domain: Domain
  /** Rounded, so that a row renders again only when its text changes. */
  readonly nowMs: number
  readonly nameClient: NameClient
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  /** The Tab key leads to the first row; arrows lead on. */
  readonly isFirst: boolean
  readonly isSelected: boolean
  readonly hasMenu: boolean
  readonly edit: InlineEdit | undefined
  readonly failure: string | undefined
  readonly on: RowHandlers
}

function Actions({ domain, hasMenu, on }: Pick<DomainRowProps, 'domain' | 'hasMenu' | 'on'>) {
  const { fqdn, is_wildcard } = domain
  const locked = lockOf(domain)
  return (
    <div>
      {is_wildcard ? (
        <span className="muted follows" title={`Follows ${fqdn.slice(2)}`}>
          Follows {fqdn.slice(2)}
        </span>
      ) : (
        <button
          type="button"
          className="row-button row-primary"
          aria-label={`Update ${fqdn}`}
          disabled={locked !== undefined}
          aria-describedby={locked === undefined ? undefined : statusId(domain)}
          title={locked}
          onClick={() => on.onAction('update', domain)}
        >
          Update
        </button>
      )}
      <button
        type="button"
        className="row-button row-menu-button"
        aria-label={`Actions for ${fqdn}`}
        aria-haspopup="menu"
        aria-expanded={hasMenu}
        onClick={(event) => on.onMenu(domain, event.currentTarget)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
    </div>
  )
}

type CellsProps = Omit<DomainRowProps, 'isFirst' | 'isSelected'>

/** All but the checkbox: selecting a page of rows leaves them as they are. */
const Cells = memo(function Cells({ domain, failure, on, ...rest }: CellsProps) {
  return (
    <>
      <th role="rowheader" scope="row" className="cell-domain">
        <NameCell domain={domain} />
      </th>
      <td role="cell" className="cell-zone">
        <ZoneCell domain={domain} onTag={on.onTag} />
      </td>
      <td role="cell" className="cell-status" data-label="Status">
        <StatusCell domain={domain} failure={failure} />
      </td>
      <td role="cell" className="cell-ip" data-label="Current IP">
        <AddressCell
          domain={domain}
          edit={rest.edit}
          onEdit={() => on.onAction('edit', domain)}
          {...on.edit}
        />
      </td>
      <td role="cell" className="cell-ttl" data-label="TTL">
        <TtlCell domain={domain} />
      </td>
      <td role="cell" className="cell-updated">
        <UpdatedCell domain={domain} nowMs={rest.nowMs} nameClient={rest.nameClient} />
      </td>
      <td role="cell" className="cell-monitor" data-label="Monitoring">
        <MonitorCell domain={domain} isInPlan={rest.canMonitor} onMonitor={on.onMonitor} />
      </td>
      <td role="cell" className="cell-actions">
        <Actions domain={domain} hasMenu={rest.hasMenu} on={on} />
      </td>
    </>
  )
})

/**
 * One domain. Uses only native elements: on a slow phone, 50 rows of styled components take more
 * than a second at each keystroke in the search field.
 */
export const DomainRow = memo(function DomainRow(props: DomainRowProps) {
  const { isFirst, isSelected, ...cells } = props
  const { domain, on } = cells
  return (
    <tr
      role="row"
      tabIndex={isFirst ? 0 : -1}
      data-id={domain.id}
      // Its content begins with the label of the checkbox.
      aria-label={domain.fqdn}
      className={isSelected ? 'row-selected' : ''}
    >
      <td role="cell" className="cell-select">
        <input
          type="checkbox"
          // The Space key selects the row.
          tabIndex={-1}
          aria-label={`Select ${domain.fqdn}`}
          checked={isSelected}
          onChange={(event) => on.onSelect(domain, event.target.checked)}
        />
      </td>
      <Cells {...cells} />
    </tr>
  )
})
