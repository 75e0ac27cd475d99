/** Keys on the rows: arrows move, Space selects, Enter opens, letters run the menu's actions. Off in fields. */
import { type KeyboardEvent, useCallback } from 'react'
import { areShortcutsOn } from '../../../keyboard/shortcut-setting.ts'
import type { Domain } from '../../../api/domains.ts'
import type { RowHandlers } from '../DomainRow.tsx'
import { itemOfKey } from './row-menu-items.ts'

const FIELDS = 'input:not([type="checkbox"]), textarea, select'

/** The row that an arrow key leads to. */
function neighbour(row: Element, key: string): Element | null | undefined {
  if (key === 'ArrowDown') return row.nextElementSibling
  if (key === 'ArrowUp') return row.previousElementSibling
  if (key === 'Home') return row.parentElement?.firstElementChild
  return key === 'End' ? row.parentElement?.lastElementChild : undefined
}

/** The page of the domain, or the row's first button. */
const OPENS = 'a.domain-link, .row-primary, .row-menu-button'

interface RowKeys {
  readonly domains: readonly Domain[]
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  readonly isSelected: (domain: Domain) => boolean
  readonly on: RowHandlers
}

/** @returns whether the key did something */
function pressOnRow(row: HTMLElement, key: string, keys: RowKeys): boolean {
  const { domains, canMonitor, isSelected, on } = keys
  const domain = domains.find(({ id }) => id === row.dataset['id'])
  if (domain === undefined) return false
  if (key === 'Enter') {
    const opening = row.querySelector<HTMLElement>(OPENS)
    opening?.click()
    return opening !== null
  }
  if (key === ' ') {
    on.onSelect(domain, !isSelected(domain))
    return true
  }
  const item = areShortcutsOn() ? itemOfKey(domain, canMonitor, key) : undefined
  if (item !== undefined) on.onAction(item.action, domain)
  return item !== undefined
}

export function useRowKeys(keys: RowKeys): (event: KeyboardEvent<HTMLElement>) => void {
  return useCallback(
    (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
      if (target.closest(FIELDS) !== null) return
      const row = target.closest<HTMLElement>('tbody tr')
      if (row === null) return
      const next = neighbour(row, key)
      if (next instanceof HTMLElement) next.focus()
      // A button in the row has its own Enter and Space.
      else if (target !== row || !pressOnRow(row, key, keys)) return
      event.preventDefault()
    },
    [keys],
  )
}
