import { ageText, timeText } from '@homing/theme/formats'

interface LastUseProps {
  /** Null if it was never used. */
  readonly at: string | null
  readonly ip: string | null
  /** The client or the pipeline. */
  readonly by: string | null
  readonly nowMs: number
}

/** When, from where and by whom a credential was last used. */
export function LastUse({ at, ip, by, nowMs }: LastUseProps) {
  if (at === null) return 'Never used'
  return (
    <>
      Last used{' '}
      <time dateTime={at} title={timeText(at)}>
        {ageText(at, nowMs)}
      </time>
      {ip !== null && (
        <>
          {' '}
          from <span className="monospace">{ip}</span>
        </>
      )}
      {by !== null && <> by {by}</>}
    </>
  )
}
