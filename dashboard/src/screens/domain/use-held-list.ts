/**
 * Keeps a live list, the newest item first, in place while it is read. Newer items wait while the pointer or the focus is in
 * the list, or its beginning is above the window. Otherwise they appear at once.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

interface HeldList<Item> {
  readonly items: readonly Item[]
  /** How many newer items wait. */
  readonly waiting: number
  /** Shows what waits. */
  readonly show: () => void
  /** Shows the next items at once, because the user caused them. */
  readonly expectNew: () => void
  /** Belongs to the element of the list. */
  readonly list: RefObject<HTMLUListElement | null>
}

/** After a tap, phones take an element for hovered until the next tap. */
const isHovered = (element: Element): boolean =>
  element.matches(':hover') && matchMedia('(hover: hover)').matches

function isRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  const isAbove = list.getBoundingClientRect().top < 0
  return isAbove || isHovered(list) || list.contains(document.activeElement)
}

export function useHeldList<Item extends { readonly id: string }>(
  all: readonly Item[],
): HeldList<Item> {
  const list = useRef<HTMLUListElement>(null)
  const isAwaited = useRef(false)
  const newest = all[0]?.id
  const [first, setFirst] = useState(newest)
  useEffect(() => {
    if (!isAwaited.current && isRead(list.current)) return
    isAwaited.current = false
    setFirst(newest)
  }, [newest])
  const show = useCallback(() => setFirst(newest), [newest])
  const expectNew = useCallback(() => {
    isAwaited.current = true
  }, [])
  // If the first item no longer exists, the list was replaced.
  const at = all.findIndex(({ id }) => id === first)
  const waiting = Math.max(0, at)
  return { items: all.slice(waiting), waiting, show, expectNew, list }
}
