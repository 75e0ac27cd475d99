import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { DomainListRequest, SortField } from '../../api/domain-list.ts'
import type { Domain } from '../../api/domains.ts'
import { useNamedKeys } from '../../keyboard/list-keys.ts'
import { DomainRow, type RowHandlers } from './DomainRow.tsx'
import { RowMenu } from './table/RowMenu.tsx'
import { ROW_KEYS, type RowAction } from './table/row-menu-items.ts'
import { SelectPage } from './table/SelectPage.tsx'
import { useClientName } from './table/use-client-name.ts'
import { useInlineEdit } from './table/use-inline-edit.ts'
import { useRowKeys } from './table/use-row-keys.ts'
import type { Selection } from './table/use-selection.ts'
import './table.css'

type Sort = DomainListRequest['sort']

interface SortChoice {
  readonly title: string
  readonly field: SortField
}

const COLUMNS: readonly { readonly title: string; readonly sorts: readonly SortChoice[] }[] = [
  { title: 'Domain', sorts: [{ title: 'Domain', field: 'fqdn' }] },
  { title: 'Zone', sorts: [{ title: 'Zone', field: 'zone' }] },
  { title: 'Status', sorts: [] },
  {
    title: 'Current IP',
    sorts: [
      { title: 'Current IP', field: 'record_ip' },
      { title: 'Updated', field: 'last_update_at' },
    ],
  },
  { title: 'Monitoring', sorts: [] },
  { title: 'Actions', sorts: [] },
]

/** As many rows as a window shows. They are painted before the others. */
const FIRST_ROWS = 16

/** How often the ages of the rows are updated. */
const MINUTE_MS = 60_000

interface SortButtonProps {
  readonly choice: SortChoice
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function SortButton({ choice: { title, field }, sort, onSort }: SortButtonProps) {
  const isSorted = sort.field === field
  // Users look for the latest updates first.
  const descending = isSorted ? !sort.descending : field === 'last_update_at'
  return (
    <button type="button" className="sort" onClick={() => onSort({ field, descending })}>
      {title}
      <span className={isSorted ? 'sort-arrow' : 'sort-arrow sort-arrow-idle'}>
        <Icon name={isSorted && sort.descending ? 'down' : 'up'} size={14} />
      </span>
    </button>
  )
}

interface ColumnHeadProps {
  readonly column: (typeof COLUMNS)[number]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function ColumnHead({ column: { title, sorts }, sort, onSort }: ColumnHeadProps) {
  if (sorts.length === 0) {
    return (
      <th role="columnheader" scope="col">
        {title}
      </th>
    )
  }
  const isSorted = sorts.some(({ field }) => field === sort.field)
  const direction = sort.descending ? 'descending' : 'ascending'
  return (
    <th role="columnheader" scope="col" aria-sort={isSorted ? direction : 'none'}>
      {sorts.map((choice) => (
        <SortButton key={choice.field} choice={choice} sort={sort} onSort={onSort} />
      ))}
    </th>
  )
}

/** Handlers that stay the same object, so that a row renders only when its domain changes. */
function useStableHandlers(handlers: RowHandlers): RowHandlers {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  return useMemo<RowHandlers>(
    () => ({
      edit: {
        onType: (text) => latest.current.edit.onType(text),
        onSave: () => latest.current.edit.onSave(),
        onCancel: () => latest.current.edit.onCancel(),
      },
      onAction: (action, domain) => latest.current.onAction(action, domain),
      onMenu: (domain, button) => latest.current.onMenu(domain, button),
      onSelect: (domain, isSelected) => latest.current.onSelect(domain, isSelected),
      onTag: (tag) => latest.current.onTag(tag),
      onMonitor: (domain, enable) => latest.current.onMonitor(domain, enable),
    }),
    [],
  )
}

/** On phones, rows are cards without a head, too narrow for a field with buttons. */
const areCards = (): boolean => {
  const head = document.querySelector('.domains thead')
  return head !== null && getComputedStyle(head).display === 'none'
}

const focusRow = (id: string): void =>
  document.querySelector<HTMLElement>(`.domains tr[data-id="${id}"]`)?.focus()

interface DomainTableProps {
  readonly domains: readonly Domain[]
  readonly sort: Sort
  /** The rows can be out of date. */
  readonly isStale: boolean
  readonly selection: Selection
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  /** Why the last change of several domains left some out, by their ids. */
  readonly failures: ReadonlyMap<string, string>
  readonly onSort: (sort: Sort) => void
  readonly onTag: (tag: string) => void
  readonly onAction: (action: Exclude<RowAction, 'edit'>, domain: Domain) => void
  readonly onMonitor: (domain: Domain, enable: boolean) => void
}

interface OpenMenu {
  readonly domain: Domain
  readonly anchor: HTMLElement
}

export function DomainTable(props: DomainTableProps) {
  const { domains, sort, isStale, selection, failures, canMonitor } = props
  const { onSort, onTag, onAction, onMonitor } = props
  const areAllShown = useDeferredValue(true, false)
  const rows = areAllShown ? domains : domains.slice(0, FIRST_ROWS)
  const nowMs = useNow(MINUTE_MS)
  const nameClient = useClientName(domains.some((each) => each.last_update_client !== null))
  const { edit, begin, type, save, cancel } = useInlineEdit()
  const [menu, setMenu] = useState<OpenMenu>()
  function act(action: RowAction, domain: Domain): void {
    setMenu(undefined)
    if (action !== 'edit') onAction(action, domain)
    else if (areCards()) onAction('update', domain)
    else begin(domain)
  }
  const leaveEdit = (finish: () => void) => {
    const id = edit?.domain.id
    finish()
    if (id !== undefined) requestAnimationFrame(() => focusRow(id))
  }
  const on = useStableHandlers({
    edit: {
      onType: type,
      onSave: () => leaveEdit(save),
      onCancel: () => leaveEdit(cancel),
    },
    onAction: act,
    onMenu: (domain, anchor) =>
      setMenu(menu?.domain.id === domain.id ? undefined : { domain, anchor }),
    onSelect: (domain, isSelected) => selection.set([domain], isSelected),
    onTag,
    onMonitor,
  })
  const { domains: selected } = selection
  const keys = useMemo(
    () => ({ domains, canMonitor, isSelected: ({ id }: Domain) => selected.has(id), on }),
    [domains, canMonitor, selected, on],
  )
  const press = useRowKeys(keys)
  useNamedKeys(ROW_KEYS)
  return (
    <>
      <table
        role="table"
        className={isStale ? 'domains domains-stale' : 'domains'}
        aria-label="Domains"
      >
        <thead role="rowgroup">
          <tr role="row">
            <SelectPage domains={domains} selection={selection} />
            {COLUMNS.map((column) => (
              <ColumnHead key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" onKeyDown={press}>
          {rows.map((domain, n) => (
            <DomainRow
              key={domain.id}
              domain={domain}
              nowMs={nowMs}
              nameClient={nameClient}
              canMonitor={canMonitor}
              isFirst={n === 0}
              isSelected={selected.has(domain.id)}
              hasMenu={menu?.domain.id === domain.id}
              edit={edit?.domain.id === domain.id ? edit : undefined}
              failure={failures.get(domain.id)}
              on={on}
            />
          ))}
        </tbody>
      </table>
      {menu !== undefined && (
        <RowMenu
          key={menu.domain.id}
          domain={menu.domain}
          canMonitor={canMonitor}
          anchor={menu.anchor}
          onChoose={({ action }) => {
            menu.anchor.focus()
            act(action, menu.domain)
          }}
          onClose={(isByKeyboard) => {
            if (isByKeyboard) menu.anchor.focus()
            setMenu(undefined)
          }}
        />
      )}
    </>
  )
}
