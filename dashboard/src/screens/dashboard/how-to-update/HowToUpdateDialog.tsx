/** How to set up a router for a domain: the update token, and the values to enter. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import type { Domain } from '../../../api/domains.ts'
import { useSession } from '../../../api/session.ts'
import { updateTokenQuery } from '../../../api/update-tokens.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'
import { AnswerList } from './AnswerList.tsx'
import { RouterSettings } from './RouterSettings.tsx'
import { TokenPanel } from './TokenPanel.tsx'
import './how-to-update.css'

interface HowToUpdateDialogProps {
  readonly domain: Domain
  readonly onClose: () => void
}

export default function HowToUpdateDialog({ domain, onClose }: HowToUpdateDialogProps) {
  const { data: token, error, refetch } = useQuery(updateTokenQuery(domain.id))
  const [secret, setSecret] = useState<string>()
  const { user } = useSession()
  return (
    <DialogFrame
      title={`How to update ${domain.fqdn}`}
      width="sm"
      onClose={() => {
        // Escape must not close the dialog while it shows a secret that cannot be shown again.
        if (secret === undefined) onClose()
      }}
    >
      <DialogContent className="modal-content">
        {error && token === undefined && <Failure error={error} onRetry={() => void refetch()} />}
        {token !== undefined && (
          <TokenPanel domainId={domain.id} token={token} secret={secret} onSecret={setSecret} />
        )}
        <RouterSettings fqdn={domain.fqdn} username={user?.username ?? ''} secret={secret} />
        <AnswerList />
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
