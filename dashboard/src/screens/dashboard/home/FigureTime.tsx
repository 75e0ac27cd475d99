import { dayText, minuteText, timeText } from '@homing/theme/formats'

interface FigureTimeProps {
  readonly at: string | number
}

/** The time of a figure: `as of 08:30`, and on another day its date. */
export function FigureTime({ at }: FigureTimeProps) {
  const isToday = dayText(at) === dayText(Date.now())
  return (
    <span className="stat-time">
      as of{' '}
      <time dateTime={new Date(at).toISOString()} title={timeText(at)}>
        {isToday ? minuteText(at) : timeText(at)}
      </time>
    </span>
  )
}
