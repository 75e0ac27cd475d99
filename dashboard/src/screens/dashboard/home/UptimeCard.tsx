/** The uptime of all domains within 24 hours, and the way to the domains that are down. */
import { counted, percentText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import type { Me } from '../../../api/account.ts'
import { type UptimeSummary, uptimeSummaryQuery } from '../../../api/monitors.ts'
import { plansQuery } from '../../../api/plans.ts'
import { hashOf } from '../../../routes.ts'
import { uptimeLineOf } from '../../dns-queries/sparkline-path.ts'
import '../../dns-queries/sparkline.css'
import { FigureTime } from './FigureTime.tsx'
import { plansWith } from '../../frame/plan-words.ts'

interface Content {
  readonly figure: string
  readonly note: string
  readonly href: string
  readonly isAlarm?: boolean
}

const filtered = (monitor: string) => hashOf('dashboard', { q: `monitor:${monitor}` })

/** A text has no time. */
const hasFigure = ({ overall_uptime_24h: uptime }: UptimeSummary) => uptime !== null

function contentOf(summary: UptimeSummary): Content {
  const { overall_uptime_24h: uptime, domains_monitored: monitored, domains_down: down } = summary
  if (monitored === 0 && uptime === null) {
    return { figure: 'No monitors yet', note: 'turn one on in the list', href: hashOf('dashboard') }
  }
  const figure = uptime === null ? 'No data yet' : percentText(uptime)
  if (down > 0) {
    return {
      figure,
      note: `${counted(down, 'domain')} down`,
      href: filtered('down'),
      isAlarm: true,
    }
  }
  return { figure, note: `24 h, ${counted(monitored, 'monitor')}`, href: filtered('on') }
}

interface CardProps extends Content {
  readonly onFormula?: () => void
  /** When it was read, and the percentage of each hour. */
  readonly readAt?: number
  readonly hours?: readonly (number | null)[]
}

function Card({ figure, note, href, isAlarm = false, onFormula, readAt, hours = [] }: CardProps) {
  const path = uptimeLineOf(hours)
  return (
    <div className="card stat stat-covered">
      <a className="stat-link" href={href}>
        <span className="stat-title">Uptime</span> <span className="figure">{figure}</span>{' '}
        <span className={isAlarm ? 'stat-note stat-alarm' : 'stat-note'}>
          {isAlarm && <Icon name="failure" size={14} />}
          {note}
        </span>
      </a>
      {readAt !== undefined && <FigureTime at={readAt} />}
      {path !== undefined && (
        <svg
          className="sparkline sparkline-low"
          viewBox="0 0 100 24"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path className="sparkline-line" d={path} />
        </svg>
      )}
      {onFormula && (
        <button
          type="button"
          className="icon-button stat-help"
          aria-label="How uptime is calculated"
          title="How uptime is calculated"
          onClick={onFormula}
        >
          <Icon name="info" size={16} />
        </button>
      )}
    </div>
  )
}

/** The plan has no monitors. */
function NotIncluded() {
  const { data: plans } = useQuery(plansQuery)
  return (
    <Card
      figure="Not included"
      note={`monitors need ${plansWith('uptime', plans)}`}
      href="/pricing"
    />
  )
}

interface UptimeCardProps {
  readonly me: Me
  readonly onFormula: () => void
}

export function UptimeCard({ me, onFormula }: UptimeCardProps) {
  const isIncluded = me.limits.abilities.includes('uptime')
  const { data, error, dataUpdatedAt } = useQuery({ ...uptimeSummaryQuery, enabled: isIncluded })
  if (!isIncluded) return <NotIncluded />
  if (data !== undefined) {
    return (
      <Card
        {...contentOf(data)}
        hours={data.uptime_by_hour}
        {...(hasFigure(data) && { readAt: dataUpdatedAt })}
        onFormula={onFormula}
      />
    )
  }
  if (error !== null) {
    return <Card figure="Not available" note={error.message} href={filtered('on')} />
  }
  return (
    <span className="card stat" aria-hidden="true">
      <span className="skeleton skeleton-text" />
      <span className="skeleton skeleton-figure" />
    </span>
  )
}
