import { ageText, timeText } from '@homing/theme/formats'
import { useQueryClient } from '@tanstack/react-query'
import { endSession, type Session, sessionsQuery } from '../../../api/sessions.ts'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { deviceOf } from '../../../components/device.ts'
import { Place } from '../../../components/Place.tsx'
import { focusHeading } from '../use-focus-on-mount.ts'

const HOUR_MS = 3_600_000

/** The service records the last use to the hour. */
function lastUseText(lastUsedAt: string, nowMs: number): string {
  if (nowMs - Date.parse(lastUsedAt) < HOUR_MS) return 'Used within the last hour'
  return `Last used ${ageText(lastUsedAt, nowMs)}`
}

interface SessionRowProps {
  readonly session: Session
  readonly nowMs: number
}

export function SessionRow({ session, nowMs }: SessionRowProps) {
  const queries = useQueryClient()
  const { id, client, cc, ip, is_current, created_at, last_used_at } = session
  const device = deviceOf(client)
  const {
    mutate,
    isPending,
    error: refusal,
  } = useWrite({
    mutationFn: () => endSession(id),
    onSuccess() {
      queries.setQueryData(sessionsQuery.queryKey, (sessions = []) =>
        sessions.filter((each) => each.id !== id),
      )
      notify({ kind: 'success', text: `${device} was signed out.` })
      requestAnimationFrame(focusHeading)
    },
    onError: (error) =>
      notify({ kind: 'failure', text: `${device} is still signed in. ${error.message}` }),
  })
  const { waitSeconds, labelOf } = useHold(refusal)
  return (
    <li className="section-row">
      <div>
        <strong title={client ?? undefined}>{device}</strong>{' '}
        {is_current && <span className="badge badge-on">This session</span>}
        <p className="muted">
          <Place country={cc} />
          {ip !== null && (
            <>
              {' '}
              · <span className="monospace">{ip}</span>
            </>
          )}
        </p>
        <p className="muted">
          Signed in {timeText(created_at)} · {lastUseText(last_used_at, nowMs)}
        </p>
      </div>
      {!is_current && (
        <div className="section-row-buttons">
          <button
            type="button"
            className="line-button"
            aria-label={`Sign out ${device}, signed in ${timeText(created_at)}`}
            aria-disabled={isPending || waitSeconds > 0}
            onClick={() => waitSeconds > 0 || mutate()}
          >
            {isPending ? 'Signing out...' : labelOf('Sign Out')}
          </button>
        </div>
      )}
    </li>
  )
}
