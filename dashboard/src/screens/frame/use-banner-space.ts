import { type RefCallback, useCallback } from 'react'
import { currentUser } from '../../api/session.ts'
import { recall, remember } from '../../api/storage.ts'

const KEY = 'banner_height'
/** The height of a notice of one line, in pixels. */
const LINE_HEIGHT = 49

/** Before the first banner in this browser: accounts on the free plan have a notice. */
const firstHeight = () => (currentUser()?.plan === 'free' ? LINE_HEIGHT : 0)

/**
 * Keeps the space of the banner while the notices load, so that the page below does not move: the browser remembers how
 * high the banner was when it was shown last.
 *
 * @param isKnown whether the notices are loaded
 * @returns the ref of the slot
 */
export function useBannerSpace(isKnown: boolean): RefCallback<HTMLElement> {
  return useCallback(
    (slot: HTMLElement | null) => {
      if (slot === null) return undefined
      if (!isKnown) {
        const height = Number(recall('local', KEY) ?? firstHeight())
        slot.style.minHeight = height > 0 ? `${height}px` : ''
        return undefined
      }
      slot.style.minHeight = ''
      const keep = () => remember('local', KEY, String(slot.offsetHeight))
      keep()
      if (typeof ResizeObserver === 'undefined') return undefined
      const observer = new ResizeObserver(keep)
      observer.observe(slot)
      return () => observer.disconnect()
    },
    [isKnown],
  )
}
