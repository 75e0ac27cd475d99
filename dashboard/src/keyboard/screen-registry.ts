/** What the parts of the current screen offer to the palette and to the overview of the shortcuts. */
import { useEffect, useId, useSyncExternalStore } from 'react'

export interface ScreenRegistry<Item> {
  /** All items of the current screen, outside of components. */
  readonly list: () => readonly Item[]
  readonly useList: () => readonly Item[]
  /** Offers these items while the component is shown. */
  readonly useItems: (items: readonly Item[]) => void
}

/** A list to which the parts of a screen add items while they are shown. */
export function screenRegistry<Item>(): ScreenRegistry<Item> {
  const registered = new Map<string, readonly Item[]>()
  let all: readonly Item[] = []
  const listeners = new Set<() => void>()

  function change(): void {
    // What was shown last comes first: a screen before its parts, because effects of parts run first.
    all = [...registered.values()].reverse().flat()
    for (const listener of listeners) listener()
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const list = () => all
  return {
    list,
    useList: () => useSyncExternalStore(subscribe, list),
    useItems(items) {
      const id = useId()
      useEffect(() => {
        registered.set(id, items)
        change()
      })
      useEffect(
        () => () => {
          registered.delete(id)
          change()
        },
        [id],
      )
    },
  }
}
