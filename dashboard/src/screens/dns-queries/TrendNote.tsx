import { Icon } from '@homing/theme/parts/Icon.tsx'
import { PERIOD_BEFORE, type SummaryPeriod, trendOf } from './trend-words.ts'

interface TrendNoteProps {
  /** The change; null without earlier data. */
  readonly percent: number | null
  readonly period: SummaryPeriod
}

/** The trend as an arrow and words. More queries are neither good nor bad, so it has no colour. */
export function TrendNote({ percent, period }: TrendNoteProps) {
  const { icon, text } = trendOf(percent)
  return (
    <span className="stat-note stat-trend" title={`Compared with ${PERIOD_BEFORE[period]}`}>
      {icon && <Icon name={icon} size={14} />}
      <span>{text}</span>{' '}
      {icon && <span className="visually-hidden">compared with {PERIOD_BEFORE[period]}</span>}
    </span>
  )
}
