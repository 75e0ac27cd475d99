/** Pauses monitors with a reason for their owners, or resumes them. */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { MONITOR_LIMITS } from '@homing/openapi/vocabulary'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNotify, useRefresh } from 'react-admin'
import type { MonitoringPause } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { ReasonDialog } from '../../layout/ReasonDialog.tsx'

const PAUSING =
  'Checks end within moments, and no mails are sent. The time of the pause counts neither as up nor as down. Settings and history are kept.'

interface PauseProps {
  /** The monitors, such as `all monitors`. */
  readonly subject: string
  readonly isPaused: boolean
  /** What happens to the monitors when they are resumed. */
  readonly resuming: string
  readonly save: (pause: MonitoringPause) => Promise<unknown>
  readonly onSaved?: () => void
}

function usePause({ subject, save, onSaved }: PauseProps, onClose: () => void) {
  const notify = useNotify()
  const refresh = useRefresh()
  return useWrite({
    mutationFn: save,
    onSuccess(_saved, { is_paused }) {
      const done = is_paused ? `Paused ${subject}.` : `Resumed ${subject}.`
      notify(done, { type: 'success' })
      refresh()
      onSaved?.()
      onClose()
    },
  })
}

interface DialogProps {
  readonly pause: PauseProps
  readonly onClose: () => void
}

function PauseDialog({ pause, onClose }: DialogProps) {
  const { mutate, isPending, error } = usePause(pause, onClose)
  return (
    <ReasonDialog
      title={`Pause ${pause.subject}?`}
      submit={{ label: 'Pause', busyLabel: 'Pausing…' }}
      help="The owners read it."
      maxLength={MONITOR_LIMITS.pause_reason}
      isBusy={isPending}
      error={error}
      onSubmit={(reason) => mutate({ is_paused: true, reason })}
      onClose={onClose}
    >
      <p>{PAUSING}</p>
    </ReasonDialog>
  )
}

function ResumeDialog({ pause, onClose }: DialogProps) {
  const notify = useNotify()
  const { mutate, isPending } = usePause(pause, onClose)
  const onError = (error: Error) => {
    notify(messageOf(error), { type: 'error', autoHideDuration: null })
    onClose()
  }
  return (
    <Confirm
      title={`Resume ${pause.subject}?`}
      action="Resume"
      isBusy={isPending}
      onConfirm={() => mutate({ is_paused: false }, { onError })}
      onCancel={onClose}
    >
      {pause.resuming}
    </Confirm>
  )
}

export function PauseButton(props: PauseProps) {
  const [isAsked, setAsked] = useState(false)
  const { isPaused, subject } = props
  const verb = isPaused ? 'Resume' : 'Pause'
  const Dialog = isPaused ? ResumeDialog : PauseDialog
  return (
    <>
      <Button
        variant="outlined"
        color={isPaused ? 'primary' : 'error'}
        onClick={() => setAsked(true)}
      >
        {`${verb} ${subject}`}
      </Button>
      {isAsked && <Dialog pause={props} onClose={() => setAsked(false)} />}
    </>
  )
}
