/** The sign-ins as a table of native elements, and as cards on phones. */
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { timeText } from '@homing/theme/formats'
import type { LoginAttempt } from '../../../api/sessions.ts'
import { Place } from '../../../components/Place.tsx'
import { methodText, warningOf } from './sign-in-methods.ts'

const COLUMNS = ['Date', 'IP Address', 'Location', 'Status', 'Method'] as const

function AttemptRow({ attempt }: { readonly attempt: LoginAttempt }) {
  const { time, ip, cc, success, method } = attempt
  const warning = warningOf(attempt)
  return (
    <tr role="row">
      <th role="rowheader" scope="row" data-label="Date">
        <time dateTime={time}>{timeText(time)}</time>
      </th>
      <td role="cell" data-label="IP Address" className="monospace">
        {ip}
      </td>
      <td role="cell" data-label="Location">
        <Place country={cc} />
      </td>
      <td role="cell" data-label="Status">
        <span className={success ? 'badge badge-on' : 'badge badge-failed'}>
          {success ? 'Success' : 'Failed'}
        </span>
      </td>
      <td role="cell" data-label="Method">
        <span>
          {methodText(method)}
          {warning !== undefined && <span className="activity-warning">{warning}</span>}
        </span>
      </td>
    </tr>
  )
}

export function ActivityTable({ attempts }: { readonly attempts: readonly LoginAttempt[] }) {
  return (
    <table role="table" className="activity" aria-label="Recent Login Activity">
      <ColumnTitles titles={COLUMNS} />
      <tbody role="rowgroup">
        {attempts.map((attempt, at) => (
          // Attempts have no id, and several can have the same time. The list is replaced as a whole.
          // oxlint-disable-next-line react/no-array-index-key
          <AttemptRow key={`${attempt.time} ${at}`} attempt={attempt} />
        ))}
      </tbody>
    </table>
  )
}
