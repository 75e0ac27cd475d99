import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from '@homing/theme/parts/Announcer.tsx'

/** The browser announces the first screen itself, as for any page. */
let isFirstScreen = true

interface ScreenTitleProps {
  readonly title: string
  /** The content of the heading, if it differs from the title. */
  readonly children?: ReactNode
  /** False on screens with one main field, which gets the focus instead. */
  readonly takesFocus?: boolean
}

/** The heading of a screen. Sets the document title and the focus and announces the screen, as a page load does. */
export function ScreenTitle({ title, children, takesFocus = true }: ScreenTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Homing`
    if (!isFirstScreen) {
      announce(title)
      if (takesFocus) heading.current?.focus()
    }
    isFirstScreen = false
  }, [title, takesFocus])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  )
}
