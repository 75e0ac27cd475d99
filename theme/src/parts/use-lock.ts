import { useCallback, useRef } from 'react'

/**
 * Runs one action at a time. While it runs, further ones are ignored: a double click, or Enter and a click. The state of a
 * component is too late for this, because it changes only with the next rendering.
 */
export function useLock(): (action: () => Promise<unknown>) => Promise<void> {
  const isTaken = useRef(false)
  return useCallback(async (action) => {
    if (isTaken.current) return
    isTaken.current = true
    try {
      await action()
    } finally {
      isTaken.current = false
    }
  }, [])
}
