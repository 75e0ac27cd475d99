/** A dialog with a form: title, text, fields, and the buttons to submit and cancel. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import type { FormEvent, ReactNode } from 'react'
import { DialogFrame } from './DialogFrame.tsx'
import { FormWait, useHold } from './form-wait.ts'

interface ModalProps {
  readonly title: string
  readonly children: ReactNode
  /** The submit button, and its label while the action runs. */
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    readonly isDanger?: boolean
  }
  /** Default: the narrowest. */
  readonly width?: 'xs' | 'sm' | 'md'
  /** Default: Cancel. */
  readonly closeLabel?: string
  readonly isBusy: boolean
  /** The form cannot be submitted yet. */
  readonly isDisabled?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
}

export function Modal(props: ModalProps) {
  const { title, children, submit, isBusy, isDisabled = false, onSubmit, onClose } = props
  const { closeLabel = 'Cancel', width = 'xs' } = props
  const { waitSeconds, hold, labelOf } = useHold()
  const isHeld = isBusy || waitSeconds > 0
  function send(event: FormEvent): void {
    event.preventDefault()
    if (!isHeld && !isDisabled) onSubmit()
  }
  return (
    <DialogFrame
      title={title}
      width={width}
      onClose={() => {
        if (!isBusy) onClose()
      }}
    >
      <form noValidate onSubmit={send}>
        <DialogContent className="modal-content">
          <FormWait value={hold}>{children}</FormWait>
        </DialogContent>
        <DialogActions>
          {/* Enter must not trigger a destructive action, so Cancel gets the focus. */}
          <Button autoFocus={submit.isDanger === true} onClick={onClose} disabled={isBusy}>
            {closeLabel}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={submit.isDanger === true ? 'error' : 'primary'}
            disabled={isDisabled}
            aria-disabled={isHeld}
          >
            {isBusy ? submit.busyLabel : labelOf(submit.label)}
          </Button>
        </DialogActions>
      </form>
    </DialogFrame>
  )
}
