/** How every percentage of uptime is calculated. */
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'

export default function FormulaDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <DialogFrame title="How uptime is calculated" width="sm" onClose={onClose}>
      <DialogContent className="modal-content">
        <p className="uptime-formula">uptime = time up ÷ (time up + time down) × 100</p>
        <p>
          A domain is down from the first of the failed checks that confirm it, and up again from
          the first of the successful ones.
        </p>
        <p>These times are left out, so they neither raise nor lower the percentage:</p>
        <ul className="uptime-left-out">
          <li>unknown: Homing itself could not check, for example because its network failed</li>
          <li>maintenance that you announced</li>
          <li>the monitor is off or stopped</li>
        </ul>
        <p>
          The percentage of all domains is calculated in the same way over the time of all monitors
          together. Two decimals are shown, rounded down: only a domain that was never down has
          100.00%.
        </p>
      </DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
