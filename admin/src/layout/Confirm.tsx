import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'

interface ConfirmProps {
  readonly isOpen: boolean
  /** The question, with the name of the thing. */
  readonly title: string
  /** What happens then. */
  readonly children: ReactNode
  /** The verb of what happens. */
  readonly action: string
  readonly cancel?: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that costs, and says what it does. */
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
