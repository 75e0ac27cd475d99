/** Announces changes to screen readers: new screens, search results. */
import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announce(text: string): void {
  // Screen readers ignore a text that did not change. An invisible space makes a repeated text new.
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
