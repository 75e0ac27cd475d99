import ScheduleOutlined from '@mui/icons-material/ScheduleOutlined'
import { spanText, timeText } from '@homing/theme/formats'
import { Mark } from '../../layout/Mark.tsx'

/** A check that began later than this is overdue, as in the status of monitoring. */
const OVERDUE_SECONDS = 30

/** Whole minutes from two minutes on: seconds do not matter then. */
const coarse = (seconds: number) =>
  spanText(seconds < 120 ? seconds : Math.floor(seconds / 60) * 60)

/** When the next check begins, or how late it is. */
export function DueTime({ dueAt }: { dueAt: string | null }) {
  if (dueAt === null) return <span className="muted">not checked</span>
  const seconds = Math.round((Date.parse(dueAt) - Date.now()) / 1_000)
  const late = -seconds
  return (
    <time dateTime={dueAt} title={timeText(dueAt)} className="unbroken">
      {late > OVERDUE_SECONDS ? (
        <Mark tone="warn" icon={ScheduleOutlined}>
          {`${coarse(late)} late`}
        </Mark>
      ) : seconds > 0 ? (
        `in ${coarse(seconds)}`
      ) : (
        'now'
      )}
    </time>
  )
}
