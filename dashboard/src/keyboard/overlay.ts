/** Which of the two dialogs over all screens is open: the command palette, or the overview of the shortcuts. */
import { useSyncExternalStore } from 'react'

export type Overlay = 'palette' | 'overview'

let open: Overlay | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens one, which closes the other; without an argument, closes the open one. */
export function showOverlay(next?: Overlay): void {
  open = next
  for (const listener of listeners) listener()
}

const current = () => open

export const useOverlay = (): Overlay | undefined =>
  useSyncExternalStore(subscribe, current, current)
