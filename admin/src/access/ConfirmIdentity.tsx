import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { api } from '../api.ts'
import { messageOf, problemError } from '../problem.ts'
import { useConfirmationQuestion } from './confirmation.ts'

/** Digits of an authenticator app; all else is one of the codes that were kept for its loss. */
const APP_CODE = /^\d{3} ?\d{3}$/

async function hasSecondFactor(): Promise<boolean> {
  const { data, error, response } = await api.GET('/api/me/second-factors').catch(() => {
    throw problemError(0, undefined)
  })
  if (data === undefined) throw problemError(response.status, error)
  return data.is_on
}

async function confirm(text: string, isCode: boolean): Promise<void> {
  const code = APP_CODE.test(text) ? { code: text } : { recovery_code: text }
  const body = isCode ? code : { password: text }
  const { data, error, response } = await api.POST('/api/me/confirm', { body }).catch(() => {
    throw problemError(0, undefined)
  })
  if (data === undefined) throw problemError(response.status, error)
}

function Question({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const [isCode, setCode] = useState<boolean>()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const titleId = useId()

  useEffect(() => {
    hasSecondFactor().then(setCode, (error: unknown) => setFailure(messageOf(error)))
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isCode === undefined || text === '') return
    setBusy(true)
    setFailure(undefined)
    try {
      await confirm(isCode ? text.trim() : text, isCode)
      onAnswer(true)
    } catch (error) {
      setFailure(messageOf(error))
      setText('')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog open onClose={() => onAnswer(false)} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id={titleId}>Is it you?</DialogTitle>
        <DialogContent className="stack">
          <p>This takes a fresh proof of who you are, which is good for 15 minutes.</p>
          <div role="alert">{failure && <Alert severity="error">{failure}</Alert>}</div>
          {isCode !== undefined && (
            <TextField
              label={isCode ? 'Code of your authenticator app, or a recovery code' : 'Password'}
              name={isCode ? 'code' : 'password'}
              type={isCode ? 'text' : 'password'}
              autoComplete={isCode ? 'one-time-code' : 'current-password'}
              autoFocus
              required
              fullWidth
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="contained"
            loading={isBusy}
            disabled={isCode === undefined}
          >
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Asks the administrator who they are, when a call waits for that. */
export function ConfirmIdentity() {
  const question = useConfirmationQuestion()
  return question && <Question onAnswer={question.answer} />
}
