import { ageText, timeText } from '@homing/theme/formats'

/** A relative time. The exact time is in its tooltip. */
export function Ago({ time, never }: { time: string | null; never: string }) {
  if (time === null) return <span className="muted">{never}</span>
  return (
    <time className="ago" dateTime={time} title={timeText(time)}>
      {ageText(time, Date.now())}
    </time>
  )
}
