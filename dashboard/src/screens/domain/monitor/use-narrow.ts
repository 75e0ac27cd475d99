import { useSyncExternalStore } from 'react'

const QUERY = '(max-width: 720px)'
/** Missing outside of browsers. */
const media = (): MediaQueryList | undefined =>
  (globalThis as Partial<typeof globalThis>).matchMedia?.(QUERY)

function subscribe(listener: () => void): () => void {
  const watched = media()
  watched?.addEventListener('change', listener)
  return () => watched?.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => media()?.matches === true)
