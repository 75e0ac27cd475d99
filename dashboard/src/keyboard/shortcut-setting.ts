/** Whether shortcuts of single keys work in this browser. Speech input and shaking hands can trigger them (WCAG 2.1.4). */
import { useSyncExternalStore } from 'react'
import { forget, recall, remember } from '../api/storage.ts'

const KEY = 'shortcuts'

/** Whether they are off until the page is reloaded, because the browser blocks its storage. */
let isOffHere = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab can change it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const areShortcutsOn = (): boolean => !isOffHere && recall('local', KEY) !== 'off'

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areShortcutsOn)

export function turnShortcuts(isOn: boolean): void {
  if (isOn) forget('local', KEY)
  else remember('local', KEY, 'off')
  isOffHere = !isOn && recall('local', KEY) !== 'off'
  for (const listener of listeners) listener()
}
