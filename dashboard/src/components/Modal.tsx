/** A dialog with a form: a title, what it is about, its fields, and the two ways out. */
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId } from 'react'

interface ModalProps {
  readonly title: string
  readonly children: ReactNode
  /** The button that does it, and what it says while it is being done. */
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    readonly isDanger?: boolean
  }
  readonly isBusy: boolean
  /** Nothing to do yet: the form says why. */
  readonly isDisabled?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
}

export function Modal(props: ModalProps) {
  const { title, children, submit, isBusy, isDisabled = false, onSubmit, onClose } = props
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
          {/* What cannot be taken back lightly is not what Enter does. */}
          <Button autoFocus={submit.isDanger === true} onClick={onClose} disabled={isBusy}>
            Cancel
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
    </Dialog>
  )
}
