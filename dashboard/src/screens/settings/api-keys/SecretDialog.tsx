/**
 * Shows the secret of a new or rotated key, once. Neither Escape nor a click beside the dialog closes it, and the user
 * is asked before they leave the page.
 */
import { timeText } from '@homing/theme/formats'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import type { SecretKey } from '../../../api/api-keys.ts'
import { Message } from '@homing/theme/parts/Message.tsx'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'
import { SecretText } from './SecretText.tsx'

const QUESTION = {
  title: 'Leave without the key?',
  text: 'The API key is shown only now. If you did not save it, create or rotate it again later.',
  submit: 'Leave',
}

interface SecretDialogProps extends SecretKey {
  readonly onSaved: () => void
}

export function SecretDialog({ apiKey, secret, onSaved }: SecretDialogProps) {
  const { name, prefix, scope, former_secret: former } = apiKey
  return (
    <DialogFrame title={`Save the API key “${name}”`} width="sm">
      <DialogContent className="modal-content">
        <Message tone="warn">
          <p>Copy the key now. You won’t see this secret again.</p>
        </Message>
        <SecretText secret={secret} prefix={prefix} scope={scope} />
        {former !== null && (
          <p>
            The former secret, which starts with <code className="monospace">{former.prefix}</code>,
            works until {timeText(former.expires_at)}. Replace it by then.
          </p>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onSaved}>
          I've saved this key
        </Button>
      </DialogActions>
      <LeaveGuard {...QUESTION} />
    </DialogFrame>
  )
}
