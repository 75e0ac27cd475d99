/** Says what changed to who cannot see it: new screens, results of a search. */
import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announce(text: string): void {
  // A text that is said twice in a row would be no change; an invisible space makes it one.
  message = text === message ? `${text}\u200B` : text
  for (const listener of listeners) listener()
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  )
}
