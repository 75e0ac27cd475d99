import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from './Announcer.tsx'

/** A browser announces the first screen by itself, as any page. */
let isFirstScreen = true

interface ScreenTitleProps {
  readonly title: string
  /** What the heading shows when that is not the title. */
  readonly children?: ReactNode
  /** Where a screen is all about one field, that gets the focus instead. */
  readonly takesFocus?: boolean
}

/** The heading of a screen. Title, focus and announcement follow it, as a page load would have them. */
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
