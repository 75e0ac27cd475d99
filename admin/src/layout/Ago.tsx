import { age, moment } from '../words.ts'

/** A relative time. The exact time is in its tooltip. */
export function Ago({ time, never }: { time: string | null; never: string }) {
  if (time === null) return <span className="faint">{never}</span>
  return (
    <time dateTime={time} title={moment(time)}>
      {age(time, new Date())}
    </time>
  )
}
