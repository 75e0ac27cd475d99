import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'

interface ConfirmProps {
  readonly isOpen: boolean
  /** The question, which names the record. */
  readonly title: string
  /** The effects of the action. */
  readonly children: ReactNode
  /** The label of the confirm button: a verb. */
  readonly action: string
  readonly cancel?: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** A confirmation dialog, which says what the action does. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, title, children, action, cancel = 'Cancel', isBusy, onConfirm, onCancel } = props
  const [titleId, textId] = [useId(), useId()]
  return (
    <Dialog
      open={isOpen}
      onClose={onCancel}
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="sm"
      fullWidth
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent id={textId}>{children}</DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" autoFocus onClick={onCancel}>
          {cancel}
        </Button>
        <Button variant="contained" loading={isBusy ?? false} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
