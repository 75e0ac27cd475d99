/** Asks the user to confirm their identity with one of the account's methods. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  confirmationWaysQuery,
  type ConfirmationWays,
  confirmByPasskey,
  confirmByText,
} from '../../api/confirmation.ts'
import { useSession } from '../../api/session.ts'
import { UsernameHint } from '../../components/UsernameHint.tsx'
import { ApiProblem } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

type Typed = NonNullable<ConfirmationWays['typed']>

const FIELDS: Readonly<
  Record<Typed, { readonly label: string; readonly type: string; readonly autoComplete: string }>
> = {
  password: { label: 'Password', type: 'password', autoComplete: 'current-password' },
  code: {
    label: 'Authenticator code or recovery code',
    type: 'text',
    autoComplete: 'one-time-code',
  },
  'recovery-code': { label: 'Recovery code', type: 'text', autoComplete: 'off' },
}

const NO_WAY = 'This browser cannot use your passkey. Sign in again in a browser that can.'

interface ConfirmIdentityDialogProps {
  readonly onAnswer: (isConfirmed: boolean) => void
}

export default function ConfirmIdentityDialog({ onAnswer }: ConfirmIdentityDialogProps) {
  const { data: ways, error: unknownWays, refetch } = useQuery(confirmationWaysQuery)
  const { user } = useSession()
  const [text, setText] = useState('')
  const proof = useWrite({
    mutationFn: (prove: () => Promise<void>) => prove(),
    onSuccess: () => onAnswer(true),
    onError: () => setText(''),
  })
  const { typed, hasPasskey = false } = ways ?? {}
  const fault =
    proof.error instanceof ApiProblem
      ? proof.error.of('password', 'code', 'recovery_code')
      : undefined

  return (
    <Modal
      title="Confirm It’s You"
      submit={{ label: 'Confirm', busyLabel: 'Confirming...' }}
      isBusy={proof.isPending}
      isDisabled={typed === undefined || text.trim() === ''}
      onSubmit={() => proof.mutate(() => confirmByText(text, typed))}
      onClose={() => onAnswer(false)}
    >
      <p>Confirm your identity to make this change. The confirmation is valid for 15 minutes.</p>
      {unknownWays && <Failure error={unknownWays} onRetry={() => void refetch()} />}
      {proof.error && fault === undefined && <Failure error={proof.error} />}
      {ways !== undefined && typed === undefined && !hasPasskey && <p>{NO_WAY}</p>}
      {hasPasskey && (
        <Button
          variant={typed === 'code' ? 'outlined' : 'contained'}
          className="fit"
          autoFocus={typed !== 'code'}
          aria-disabled={proof.isPending}
          onClick={() => proof.mutate(confirmByPasskey)}
        >
          Use a Passkey
        </Button>
      )}
      {typed === 'password' && <UsernameHint username={user?.username} />}
      {typed !== undefined && (
        <Field
          {...FIELDS[typed]}
          name={typed}
          autoFocus={typed === 'code' || !hasPasskey}
          value={text}
          error={fault}
          inputProps={{ maxLength: 256, spellCheck: false, autoCapitalize: 'none' }}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Modal>
  )
}
