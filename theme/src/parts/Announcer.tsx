/**
 * Announces changes to screen readers: new screens, search results. A dialog hides the page below it from screen readers,
 * so a dialog in which something is announced contains an announcer of its own.
 */
import { useEffect, useId, useSyncExternalStore } from 'react'

interface Message {
  readonly text: string
  /** The announcer that says it. */
  readonly by: string | undefined
}

let message: Message = { text: '', by: undefined }
/** The ids of the announcers; the last is in the top dialog. */
const announcers: string[] = []
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const current = () => message

export function announce(text: string): void {
  // Screen readers ignore a text that did not change. An invisible space makes a repeated text new.
  const isRepeated = text === message.text
  message = { text: isRepeated ? `${text}\u200B` : text, by: announcers.at(-1) }
  for (const listener of listeners) listener()
}

export function Announcer() {
  const id = useId()
  const { text, by } = useSyncExternalStore(subscribe, current, current)
  useEffect(() => {
    announcers.push(id)
    return () => void announcers.splice(announcers.indexOf(id), 1)
  }, [id])
  return (
    <div className="visually-hidden" aria-live="polite">
      {by === id ? text : ''}
    </div>
  )
}
