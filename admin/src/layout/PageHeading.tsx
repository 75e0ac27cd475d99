import { type ReactNode, useEffect, useRef, useState } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { usePageTitle } from './page-title.ts'

interface PageHeadingProps {
  readonly title: string
  /** The link above the heading, back to the list. */
  readonly above?: ReactNode
  readonly children?: ReactNode
}

/** The heading of a page. It takes the focus after the user followed a link, so that a screen reader announces the page. */
export function PageHeading({ title, above, children }: PageHeadingProps) {
  usePageTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  const type = useNavigationType()
  // Read only when the page opens, so that later actions, such as typing into a filter, do not move the focus.
  const [isLinkFollowed] = useState(type === NavigationType.Push)
  useEffect(() => {
    if (isLinkFollowed) heading.current?.focus()
  }, [isLinkFollowed])
  return (
    <div className="page-heading">
      {above}
      <div className="page-heading-line">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  )
}
