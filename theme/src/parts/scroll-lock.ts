/**
 * The page below a dialog does not scroll. The component library unlocks it before the paint that follows the last key or
 * click in the dialog; the browser then paints all that is outside the window first, and the user waits for it.
 */
import { useLayoutEffect } from 'react'
import { afterPaint } from './after-paint.ts'

/** How many open dialogs hold the page. */
let holds = 0

function lock(): void {
  holds += 1
  const { style } = document.body
  const scrollbarPx = innerWidth - document.documentElement.clientWidth
  // The text of the page stays where it is.
  if (style.overflow !== 'hidden' && scrollbarPx > 0) style.paddingInlineEnd = `${scrollbarPx}px`
  style.overflow = 'hidden'
}

function unlock(): void {
  holds -= 1
  afterPaint(() => {
    if (holds > 0) return
    document.body.style.overflow = ''
    document.body.style.paddingInlineEnd = ''
  })
}

/** Holds the page while the component is mounted, and one frame longer. */
export function useScrollLock(): void {
  useLayoutEffect(() => {
    lock()
    return unlock
  }, [])
}
