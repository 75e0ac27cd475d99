/** What the menu of a row offers. Each letter works in the menu, and on a row that has the focus. */
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { ListKeys } from '../../../keyboard/list-keys.ts'
import type { Domain } from '../../../api/domains.ts'
import { lockOf } from '../../frame/lock-words.ts'
import { switchBlock } from '../../monitor/monitor-words.ts'

/** The dialogs of a row. */
export type RowDialog = 'update' | 'how-to' | 'wildcard' | 'delete'
/** `edit` changes the address in the row. All but dialogs take effect at once. */
export type RowAction = RowDialog | 'edit' | 'pause' | 'resume' | 'monitor-on' | 'monitor-off'

export interface RowMenuItem {
  readonly action: RowAction
  readonly letter: string
  readonly label: string
  readonly icon: IconName
  readonly isDanger?: boolean
  /** Why it is disabled. */
  readonly blocked?: string | undefined
}

const ADD_WILDCARD: RowMenuItem = {
  action: 'wildcard',
  letter: 'W',
  label: 'Add Wildcard',
  icon: 'add',
}

const REMOVE: RowMenuItem = {
  action: 'delete',
  letter: 'X',
  label: 'Delete',
  icon: 'remove',
  isDanger: true,
}

/** Turns the monitor on or off, if the owner can. */
function monitorItems(domain: Domain, canMonitor: boolean): readonly RowMenuItem[] {
  const { monitor_enabled: isOn } = domain
  if (switchBlock(domain, canMonitor || isOn) !== undefined) return []
  return isOn
    ? [{ action: 'monitor-off', letter: 'M', label: 'Turn Monitor Off', icon: 'hide' }]
    : [{ action: 'monitor-on', letter: 'M', label: 'Turn Monitor On', icon: 'show' }]
}

/**
 * A wildcard follows its domain, and can only be deleted. A locked domain has nothing but its instructions.
 *
 * @param canMonitor whether the plan includes monitors
 */
export function menuItems(domain: Domain, canMonitor: boolean): readonly RowMenuItem[] {
  const blocked = lockOf(domain)
  const items = itemsOf(domain, canMonitor)
  if (blocked === undefined) return items
  return items.map((item) => (item.action === 'how-to' ? item : { ...item, blocked }))
}

function itemsOf(domain: Domain, canMonitor: boolean): readonly RowMenuItem[] {
  const { is_wildcard, wildcard_enabled, paused } = domain
  if (is_wildcard) return [REMOVE]
  return [
    { action: 'edit', letter: 'E', label: 'Edit Address', icon: 'edit' },
    { action: 'how-to', letter: 'H', label: 'How to Update', icon: 'router' },
    ...(wildcard_enabled ? [] : [ADD_WILDCARD]),
    paused
      ? { action: 'resume', letter: 'P', label: 'Resume', icon: 'rotate' }
      : { action: 'pause', letter: 'P', label: 'Pause', icon: 'pause' },
    ...monitorItems(domain, canMonitor),
    REMOVE,
  ]
}

const letter = (key: string, text: string) => ({ keys: [key], text, isLetter: true })
const other = (keys: readonly string[], text: string) => ({ keys, text, isLetter: false })

/** What the overview of the shortcuts says about the keys of a row. */
export const ROW_KEYS: readonly ListKeys[] = [
  {
    title: 'On a domain of the table',
    rows: [
      other(['↑', '↓'], 'Go to the row before or after'),
      other(['Home', 'End'], 'Go to the first or last row'),
      other(['Space'], 'Select the domain'),
      other(['Enter'], 'Open the domain'),
      letter('E', 'Edit the addresses in the row'),
      letter('H', 'Show how to update the domain'),
      letter('W', 'Add a wildcard'),
      letter('P', 'Pause or resume the domain'),
      letter('M', 'Turn its monitor on or off'),
      letter('X', 'Delete the domain'),
    ],
  },
]

/** The item of a pressed key; undefined also for one that is disabled. */
export const itemOfKey = (
  domain: Domain,
  canMonitor: boolean,
  key: string,
): RowMenuItem | undefined =>
  menuItems(domain, canMonitor).find(
    ({ letter, blocked }) => letter === key.toUpperCase() && blocked === undefined,
  )
