/** The overview of the shortcuts: what works on this screen. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import { GeneralShortcuts, ListShortcuts, ScreenShortcuts } from '../../keyboard/ShortcutList.tsx'
import { ShortcutSwitch } from '../../keyboard/ShortcutSwitch.tsx'

export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <DialogFrame title="Keyboard shortcuts" onClose={onClose}>
      <DialogContent className="modal-content">
        <ScreenShortcuts />
        <ListShortcuts />
        <GeneralShortcuts />
        <ShortcutSwitch />
      </DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
