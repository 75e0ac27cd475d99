/** A dialog with a form: title, text, fields, and the buttons to submit and cancel. */
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Announcer } from './Announcer.tsx'

interface ModalProps {
  readonly title: string
  readonly children: ReactNode
  /** The submit button, and its label while the action runs. */
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    readonly isDanger?: boolean
  }
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
  const { closeLabel = 'Cancel' } = props
  const titleId = useId()
  function send(event: FormEvent): void {
    event.preventDefault()
    if (!isBusy && !isDisabled) onSubmit()
  }
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      className="modal"
      aria-labelledby={titleId}
      onClose={() => {
        if (!isBusy) onClose()
      }}
    >
      <form noValidate onSubmit={send}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent className="modal-content">{children}</DialogContent>
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
            aria-disabled={isBusy}
          >
            {isBusy ? submit.busyLabel : submit.label}
          </Button>
        </DialogActions>
      </form>
      <Announcer />
    </Dialog>
  )
}
