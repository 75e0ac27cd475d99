/** How to keep a domain current: the update token, the settings of each device, and whether its calls arrive. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { updateTokenQuery } from '../../../api/update-tokens.ts'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'
import { DevicePicker } from './DevicePicker.tsx'
import { Reference } from './Reference.tsx'
import { Testing } from './Testing.tsx'
import { TokenPanel } from './TokenPanel.tsx'
import './how-to-update.css'
import './print.css'

interface HowToUpdateDialogProps {
  readonly domain: Domain
  readonly onClose: () => void
}

export default function HowToUpdateDialog({ domain, onClose }: HowToUpdateDialogProps) {
  const { id, fqdn } = domain
  const { data: token, error, refetch } = useQuery(updateTokenQuery(id))
  const [secret, setSecret] = useState<string>()
  const settings = useMemo(() => ({ origin: location.origin, fqdn, token: secret }), [fqdn, secret])
  return (
    <DialogFrame
      title={`How to update ${fqdn}`}
      width="md"
      onClose={() => {
        // Escape must not close the dialog while it shows a secret that cannot be shown again.
        if (secret === undefined) onClose()
      }}
    >
      <DialogContent className="modal-content how-to">
        {error && token === undefined && <Failure error={error} onRetry={() => void refetch()} />}
        {token !== undefined && (
          <TokenPanel domainId={id} token={token} secret={secret} onSecret={setSecret} />
        )}
        <DevicePicker settings={settings} />
        <Testing domainId={id} settings={settings} prefix={token?.prefix} />
        <Reference settings={settings} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {secret === undefined ? 'Close' : "I've Saved the Token"}
        </Button>
      </DialogActions>
      {secret !== undefined && (
        <LeaveGuard
          isInDialog
          title="Leave without the token?"
          text="The update token is shown only now. If you did not save it, replace it later."
          submit="Leave"
        />
      )}
    </DialogFrame>
  )
}
