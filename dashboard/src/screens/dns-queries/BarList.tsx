/** Values with their numbers of queries as bars. Each is a link, so that the choice is in the URL and Back undoes it. */
import { count, shortCount } from '@homing/theme/formats'
import type { ReactNode } from 'react'
import './bar-list.css'

export interface BarItem {
  readonly key: string
  readonly name: ReactNode
  readonly queries: number
  readonly href: string
  readonly isChosen?: boolean
}

interface BarListProps {
  /** The id of the heading. */
  readonly labelledBy: string
  readonly items: readonly BarItem[]
}

export function BarList({ labelledBy, items }: BarListProps) {
  const most = Math.max(1, ...items.map(({ queries }) => queries))
  return (
    <ul className="bar-list" aria-labelledby={labelledBy}>
      {items.map(({ key, name, queries, href, isChosen = false }) => (
        <li key={key}>
          <a className="bar-row" href={href} aria-current={isChosen ? 'true' : undefined}>
            <span className="bar" style={{ inlineSize: `${(queries / most) * 100}%` }} />
            <span className="bar-name">{name}</span>{' '}
            <span className="bar-count" title={count(queries)}>
              {shortCount(queries)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
