/** The overview of the shortcuts: what works on this screen. */
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { GeneralShortcuts, ScreenShortcuts } from '../../keyboard/ShortcutList.tsx'
import { ShortcutSwitch } from '../../keyboard/ShortcutSwitch.tsx'

export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const titleId = useId()
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      className="modal"
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <DialogTitle id={titleId}>Keyboard shortcuts</DialogTitle>
      <DialogContent className="modal-content">
        <ScreenShortcuts />
        <GeneralShortcuts />
        <ShortcutSwitch />
      </DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
