import { age, moment } from '../words.ts'

/** How long ago; the exact time is there for whoever asks. */
export function Ago({ time, never }: { time: string | null; never: string }) {
  if (time === null) return <span className="faint">{never}</span>
  return (
    <time dateTime={time} title={moment(time)}>
      {age(time, new Date())}
    </time>
  )
}
