import type { ConfirmationWays } from '@homing/openapi/client'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useEffect, useState } from 'react'
import { messageOf } from '../api/problem.ts'
import { useConfirmationQuestion } from '../api/confirmation.ts'
import { confirmByPasskey, confirmByText, waysToConfirm } from './proof.ts'

const LABELS = {
  password: 'Password',
  code: 'Authenticator code or recovery code',
  'recovery-code': 'Recovery code',
} as const

const AUTO_COMPLETE = {
  password: 'current-password',
  code: 'one-time-code',
  'recovery-code': 'off',
} as const

/** The account's only method is a passkey, and this browser does not support passkeys. */
const NO_WAY = 'This browser cannot use your passkey. Sign in again in a browser that can.'

function Question({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const [ways, setWays] = useState<ConfirmationWays>()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const typed = ways?.typed
  const hasNoWay = ways !== undefined && typed === undefined && !ways.hasPasskey

  useEffect(() => {
    waysToConfirm().then(setWays, (error: unknown) => setFailure(messageOf(error)))
  }, [])

  async function attempt(way: () => Promise<void>) {
    setBusy(true)
    setFailure(undefined)
    try {
      await way()
      onAnswer(true)
    } catch (error) {
      setFailure(messageOf(error))
      setText('')
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (typed !== undefined && text !== '') void attempt(async () => confirmByText(text, typed))
  }

  return (
    <DialogFrame title="Confirm it’s you" onClose={() => onAnswer(false)}>
      <form onSubmit={submit}>
        <DialogContent className="stack">
          <p>Confirm your identity to continue. The confirmation is valid for 15 minutes.</p>
          {failure !== undefined && <Message tone="error">{failure}</Message>}
          {hasNoWay && <p>{NO_WAY}</p>}
          {ways?.hasPasskey === true && (
            <Button
              variant={typed === 'code' ? 'outlined' : 'contained'}
              autoFocus={typed !== 'code'}
              loading={isBusy}
              onClick={() => void attempt(confirmByPasskey)}
            >
              Use a passkey
            </Button>
          )}
          {typed !== undefined && (
            <Field
              label={LABELS[typed]}
              name={typed}
              type={typed === 'password' ? 'password' : 'text'}
              autoComplete={AUTO_COMPLETE[typed]}
              autoFocus={typed === 'code' || ways?.hasPasskey !== true}
              required
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={typed === undefined}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </DialogFrame>
  )
}

/** Asks the administrator to confirm their identity when a call waits for it. */
export function ConfirmIdentity() {
  const question = useConfirmationQuestion()
  return question && <Question onAnswer={question.answer} />
}
