import { type RefObject, useEffect, useRef } from 'react'

/** Gives the focus to an element that replaces the one that the user just used. */
export function useFocusOnMount<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}

/** Gives the focus to the section's heading, after the element that had it disappeared. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('h1')?.focus()
