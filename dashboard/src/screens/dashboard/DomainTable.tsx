import { useNow } from '@homing/theme/parts/use-now.ts'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { DomainListRequest } from '../../api/domain-list.ts'
import type { Domain } from '../../api/domains.ts'
import { useNamedKeys } from '../../keyboard/list-keys.ts'
import { DomainRow, type RowHandlers } from './DomainRow.tsx'
import { RowMenu } from './table/RowMenu.tsx'
import { ROW_KEYS, type RowAction } from './table/row-menu-items.ts'
import { TableHead } from './table/TableHead.tsx'
import { useClientName } from './table/use-client-name.ts'
import { useInlineEdit } from './table/use-inline-edit.ts'
import { useRowKeys } from './table/use-row-keys.ts'
import type { Selection } from './table/use-selection.ts'
import './table.css'

/** As many rows as a window shows. Those of another search, order or page are painted before the others. */
const FIRST_ROWS = 16

/** The rows to render now: at first some of another list, and then all, in small steps that a key press interrupts. */
function useFirstRows(domains: readonly Domain[], list: DomainListRequest): readonly Domain[] {
  const ids = domains.map(({ id }) => id).join(' ')
  const isSameList = useDeferredValue<DomainListRequest | undefined>(list, undefined) === list
  const areSameRows = useDeferredValue(ids, '') === ids
  return isSameList || areSameRows ? domains : domains.slice(0, FIRST_ROWS)
}

/** How often the ages of the rows are updated. */
const MINUTE_MS = 60_000

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

/** Gives the focus to a row whose field was closed. A field that is back already, with the reason of a refusal, keeps it. */
function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`.domains tr[data-id="${id}"]`)
  if (row?.querySelector('.inline-edit') === null) row.focus()
}

interface DomainTableProps {
  readonly domains: readonly Domain[]
  /** What the domains were read for: the same object as long as it does not change. */
  readonly list: DomainListRequest
  readonly sort: DomainListRequest['sort']
  /** The rows can be out of date. */
  readonly isStale: boolean
  readonly selection: Selection
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  /** Why the last change of several domains left some out, by their ids. */
  readonly failures: ReadonlyMap<string, string>
  readonly onSort: (sort: DomainListRequest['sort']) => void
  readonly onTag: (tag: string) => void
  readonly onAction: (action: Exclude<RowAction, 'edit'>, domain: Domain) => void
  readonly onMonitor: (domain: Domain, enable: boolean) => void
}

interface OpenMenu {
  readonly domain: Domain
  readonly anchor: HTMLElement
}

export function DomainTable(props: DomainTableProps) {
  const { domains, list, sort, isStale, selection, failures, canMonitor } = props
  const { onSort, onTag, onAction, onMonitor } = props
  const rows = useFirstRows(domains, list)
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
        <TableHead domains={domains} selection={selection} sort={sort} onSort={onSort} />
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
