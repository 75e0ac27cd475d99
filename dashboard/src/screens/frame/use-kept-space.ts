import { type RefCallback, useCallback } from 'react'
import { recall, remember } from '../../api/storage.ts'

interface KeptSpace {
  /** Of the browser's storage, which remembers the height. */
  readonly key: 'banner_height' | 'checkout_banner_height' | 'home_height'
  /** Whether the content is loaded. */
  readonly isKnown: boolean
  /** The height before the content was shown in this browser, in pixels. */
  readonly firstHeight: number
}

/**
 * Keeps the space of notices while they load, so that the page below does not move: the browser remembers how high they
 * were when they were shown last.
 *
 * @returns the ref of the slot
 */
export function useKeptSpace({ key, isKnown, firstHeight }: KeptSpace): RefCallback<HTMLElement> {
  return useCallback(
    (slot: HTMLElement | null) => {
      if (slot === null) return undefined
      if (!isKnown) {
        const height = Number(recall('local', key) ?? firstHeight)
        slot.style.minHeight = height > 0 ? `${height}px` : ''
        return undefined
      }
      slot.style.minHeight = ''
      const keep = () => remember('local', key, String(slot.offsetHeight))
      if (typeof ResizeObserver === 'undefined') {
        keep()
        return undefined
      }
      // It reports the first height after the layout. Asking for it here would lay out the page before it is whole.
      const observer = new ResizeObserver(keep)
      observer.observe(slot)
      return () => observer.disconnect()
    },
    [key, isKnown, firstHeight],
  )
}
