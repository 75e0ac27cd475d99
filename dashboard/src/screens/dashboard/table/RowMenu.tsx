/** The menu of one row. It is mounted only while it is open, so the rows themselves stay cheap. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { itemOfKey, menuItems, type RowMenuItem } from './row-menu-items.ts'

/** Space between the button, the menu and the edge of the window, in pixels. */
const GAP = 4

interface RowMenuProps {
  readonly domain: Domain
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  /** The button that opened it. */
  readonly anchor: HTMLElement
  readonly onChoose: (item: RowMenuItem) => void
  /** @param isByKeyboard whether the button gets the focus back */
  readonly onClose: (isByKeyboard: boolean) => void
}

/** Below the button, or above it where there is no room. */
function placeBy(anchor: HTMLElement, menu: HTMLElement): { top: number; left: number } {
  const button = anchor.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = button.bottom + GAP
  const top = below + height <= innerHeight ? below : Math.max(GAP, button.top - GAP - height)
  return { top, left: Math.max(GAP, button.right - width) }
}

/** Closes the menu when the user does something else, or when its button moves away from it. */
function useClosing(
  menu: { readonly current: HTMLElement | null },
  anchor: HTMLElement,
  close: () => void,
): void {
  useEffect(() => {
    const { top, right } = anchor.getBoundingClientRect()
    // The event of a scroll that ended before the press can arrive after it.
    const closeIfMoved = () => {
      const now = anchor.getBoundingClientRect()
      if (now.top !== top || now.right !== right) close()
    }
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && menu.current?.contains(target))) close()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('scroll', closeIfMoved, true)
    addEventListener('resize', closeIfMoved)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('scroll', closeIfMoved, true)
      removeEventListener('resize', closeIfMoved)
    }
  }, [menu, anchor, close])
}

/** The item that an arrow key leads to. */
function neighbour(items: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement)
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items[(at - 1 + items.length) % items.length]
  if (key === 'Home') return items[0]
  return key === 'End' ? items.at(-1) : undefined
}

export function RowMenu({ domain, canMonitor, anchor, onChoose, onClose }: RowMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ top: number; left: number }>()
  const reasonId = useId()
  const items = menuItems(domain, canMonitor)
  const blocked = items.find((item) => item.blocked !== undefined)?.blocked
  const [dismiss] = useState(() => () => onClose(false))
  useClosing(menu, anchor, dismiss)
  useLayoutEffect(() => {
    if (menu.current !== null) setPlace(placeBy(anchor, menu.current))
    menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true })
  }, [anchor])

  function press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    event.stopPropagation()
    const buttons = [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const next = neighbour(buttons, key)
    const chosen = itemOfKey(domain, canMonitor, key)
    if (next !== undefined) next.focus()
    else if (chosen !== undefined) onChoose(chosen)
    else if (key === 'Escape' || key === 'Tab') onClose(true)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={`Actions for ${domain.fqdn}`}
      className="row-menu"
      style={place}
      onKeyDown={press}
    >
      {items.map((item) => (
        <button
          key={item.action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-keyshortcuts={item.letter}
          aria-disabled={item.blocked !== undefined}
          aria-describedby={item.blocked === undefined ? undefined : reasonId}
          className={item.isDanger === true ? 'row-menu-danger' : ''}
          onClick={() => {
            if (item.blocked === undefined) onChoose(item)
          }}
        >
          <Icon name={item.icon} size={16} />
          {item.label}
          <kbd aria-hidden="true">{item.letter}</kbd>
        </button>
      ))}
      {blocked !== undefined && (
        <p id={reasonId} className="row-menu-reason">
          {blocked}
        </p>
      )}
    </div>
  )
}
