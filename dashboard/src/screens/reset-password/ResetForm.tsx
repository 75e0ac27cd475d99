import Button from '@mui/material/Button'
import { type FormEvent, useState } from 'react'
import { endOwnSession, type ResetSubject, resetPassword } from '../../api/mail-links.ts'
import { ApiProblem, textOf } from '../../api/problem.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { UsernameHint } from '../../components/UsernameHint.tsx'
import { NewPasswordField } from '../new-password/NewPasswordField.tsx'
import { faultInNewPassword, INCOMPLETE } from '../new-password/password-faults.ts'
import { credentialsText } from '../new-password/working-credentials.ts'
import { isLinkRefused } from './link-errors.ts'
import type { Reset } from './ResetDone.tsx'

interface ResetFormProps {
  readonly token: string
  readonly subject: ResetSubject
  readonly onDone: (reset: Reset) => void
  /** The link was used or expired after it was checked. */
  readonly onInvalidLink: (error: Error) => void
}

export function ResetForm({ token, subject, onDone, onInvalidLink }: ResetFormProps) {
  const { username, working_credentials: working } = subject
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [revokes, setRevokes] = useState(false)
  const [fault, setFault] = useState<string>()
  const credentials = credentialsText(working)
  const reset = useWrite({
    mutationFn: resetPassword,
    onSuccess(still) {
      onDone({ still, revoked: revokes ? working : undefined })
      endOwnSession(username)
    },
    onError: (error) => {
      if (isLinkRefused(error)) onInvalidLink(error)
    },
  })
  const { error } = reset
  const refused = error instanceof ApiProblem ? error.of('new_password') : undefined
  const { waitSeconds, labelOf } = useHold(error)
  const isHeld = reset.isPending || waitSeconds > 0

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isHeld) return
    const isComplete = password !== '' && repeated !== ''
    const found = isComplete ? faultInNewPassword(password, repeated)?.message : INCOMPLETE
    setFault(found)
    if (found === undefined) {
      reset.mutate({ token, password, revokesCredentials: revokes })
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <p>
        Set a new password for the account <strong>{username}</strong>.
      </p>
      {fault !== undefined && (
        <Message tone="error">
          <p>{fault}</p>
        </Message>
      )}
      {fault === undefined && error && refused === undefined && (
        <Failure
          error={error}
          text={textOf(error, 'Failed to reset password. Please try again.')}
          hasTimer={false}
        />
      )}
      <UsernameHint username={username} />
      <NewPasswordField
        label="New Password"
        name="new-password"
        autoFocus
        value={password}
        error={refused}
        names={[username]}
        onChange={setPassword}
      />
      <PasswordField
        label="Confirm New Password"
        name="confirm-password"
        isNew
        value={repeated}
        help={
          repeated !== '' && !password.startsWith(repeated) ? 'Passwords do not match' : undefined
        }
        onChange={setRepeated}
      />
      {credentials !== '' && (
        <CheckField name="revoke" isChecked={revokes} onChange={setRevokes}>
          Also revoke {credentials}. Choose this if somebody else may know the password. Otherwise
          they keep working.
        </CheckField>
      )}
      <Button type="submit" variant="contained" size="large" fullWidth aria-disabled={isHeld}>
        {reset.isPending ? 'Resetting...' : labelOf('Reset Password')}
      </Button>
    </form>
  )
}
