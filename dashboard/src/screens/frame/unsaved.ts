/** Whether a screen has changes that are not saved, or a secret that is shown once. */
import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

function change(by: 1 | -1): void {
  count += by
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns ends it */
export function beginUnsaved(): () => void {
  change(1)
  return () => change(-1)
}

const isUnsaved = () => count > 0

export const useUnsaved = (): boolean => useSyncExternalStore(subscribe, isUnsaved, isUnsaved)
