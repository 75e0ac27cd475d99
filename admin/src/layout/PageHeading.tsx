import { type ReactNode, useEffect, useRef, useState } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { usePageTitle } from './page-title.ts'

interface PageHeadingProps {
  readonly title: string
  /** What stands above: the way back. */
  readonly above?: ReactNode
  readonly children?: ReactNode
}

/** The page's name. After a link was followed it takes the focus, so that a screen reader says where one is. */
export function PageHeading({ title, above, children }: PageHeadingProps) {
  usePageTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  const type = useNavigationType()
  // As it was when the page appeared: what is done on it, such as typing into a filter, moves no focus.
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
