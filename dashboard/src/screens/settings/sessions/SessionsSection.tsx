import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { endOtherSessions, type Session, sessionsQuery } from '../../../api/sessions.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useDialogInUrl } from '../../../dialog-url.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { hashOf } from '../../../routes.ts'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { focusHeading } from '../use-focus-on-mount.ts'
import { SessionRow } from './SessionRow.tsx'

const MINUTE_MS = 60_000

const DIALOGS = ['sign-out-others'] as const

interface EndOthersDialogProps {
  readonly count: number
  readonly onClose: () => void
}

function EndOthersDialog({ count, onClose }: EndOthersDialogProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: endOtherSessions,
    onSuccess() {
      notify({ kind: 'success', text: 'All other sessions have ended.' })
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      onClose()
      requestAnimationFrame(focusHeading)
    },
  })
  return (
    <Modal
      title="Sign out all other sessions?"
      submit={{ label: 'Sign Out All Others', busyLabel: 'Signing out...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && <Failure error={error} />}
      <p>
        {count === 1 ? 'One other session ends' : `${count} other sessions end`} at once. This
        session continues. API keys and update tokens keep working.
      </p>
    </Modal>
  )
}

function SessionList({ sessions }: { readonly sessions: readonly Session[] }) {
  const nowMs = useNow(MINUTE_MS)
  const { name, show, close } = useDialogInUrl(DIALOGS)
  const others = sessions.filter(({ is_current }) => !is_current).length
  const ask = () => show('sign-out-others')
  usePageActions(others === 0 ? [] : [{ label: 'Sign Out All Others', icon: 'logout', run: ask }])
  // The current session first: the user compares the others with it.
  const ordered = [...sessions].sort((a, b) => Number(b.is_current) - Number(a.is_current))
  return (
    <div className="card section-card">
      <ul className="section-rows" aria-label="Sessions">
        {ordered.map((session) => (
          <SessionRow key={session.id} session={session} nowMs={nowMs} />
        ))}
      </ul>
      {others === 0 ? (
        <p className="muted">You have no other sessions.</p>
      ) : (
        <Button variant="outlined" color="error" className="fit" onClick={ask}>
          Sign Out All Others
        </Button>
      )}
      {name !== undefined && others > 0 && <EndOthersDialog count={others} onClose={close} />}
    </div>
  )
}

/** The devices that are signed in. */
export default function SessionsSection() {
  const query = useQuery(sessionsQuery)
  return (
    <>
      <p>
        These devices are signed in to your account. If you do not recognise one, sign it out and{' '}
        <a href={hashOf('settings', {}, 'password')}>change your password</a>.
      </p>
      <Loaded query={query}>{(sessions) => <SessionList sessions={sessions} />}</Loaded>
    </>
  )
}
