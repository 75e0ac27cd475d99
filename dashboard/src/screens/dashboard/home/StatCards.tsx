import { count, spanText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { type Me, meQuery } from '../../../api/account.ts'
import { hashOf } from '../../../routes.ts'
import { FigureTime } from './FigureTime.tsx'
import { QueriesCard } from './QueriesCard.tsx'
import { UptimeCard } from './UptimeCard.tsx'

/** As large as the real cards, so that the layout does not shift. */
function CardSkeleton() {
  return (
    <span className="card stat">
      <span className="skeleton skeleton-text" />
      <span className="skeleton skeleton-figure" />
    </span>
  )
}

interface CardProps {
  readonly title: string
  readonly figure: string
  /** What the figure means. */
  readonly note: string
  readonly href: string
}

/** When the account was read. */
function ReadTime() {
  const { dataUpdatedAt } = useQuery(meQuery)
  return <FigureTime at={dataUpdatedAt} />
}

function Card({ title, figure, note, href }: CardProps) {
  return (
    <div className="card stat stat-covered">
      <a className="stat-link" href={href}>
        <span className="stat-title">{title}</span> <span className="figure">{figure}</span>{' '}
        <span className="stat-note">{note}</span>
      </a>
      <ReadTime />
    </div>
  )
}

interface StatCardsProps {
  readonly me: Me | undefined
  /** Shows how uptime is calculated. */
  readonly onFormula: () => void
}

/** The strip of figures, each with the way to what it counts. */
export const StatCards = memo(function StatCards({ me, onFormula }: StatCardsProps) {
  if (me === undefined) {
    return (
      <div className="stats" aria-hidden="true">
        <CardSkeleton />
        <CardSkeleton />
        <CardSkeleton />
        <CardSkeleton />
      </div>
    )
  }
  const { domain_count: used, domain_limit: limit, ttl, abilities } = me.limits
  return (
    <nav className="stats" aria-label="Overview">
      <Card
        title="Active Domains"
        figure={count(used)}
        note={`of ${count(limit)} allowed`}
        href={hashOf('dashboard', { q: 'status:active' })}
      />
      <QueriesCard hasCourse={abilities.includes('analytics')} />
      <UptimeCard me={me} onFormula={onFormula} />
      <Card
        title="TTL"
        figure={spanText(ttl)}
        note="in DNS caches"
        href={hashOf('settings', {}, 'plan')}
      />
    </nav>
  )
})
