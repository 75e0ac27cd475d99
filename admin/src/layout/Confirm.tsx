import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type ReactNode, useId } from 'react'

interface ConfirmProps {
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

/**
 * A confirmation dialog, which says what the action does. It has no form of its own: a form around it would receive its
 * submit event too.
 */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, cancel = 'Cancel', isBusy = false, onConfirm, onCancel } = props
  const textId = useId()
  return (
    <DialogFrame title={title} width="sm" describedBy={textId} onClose={onCancel}>
      <DialogContent id={textId}>{children}</DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" autoFocus onClick={onCancel}>
          {cancel}
        </Button>
        <Button variant="contained" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
