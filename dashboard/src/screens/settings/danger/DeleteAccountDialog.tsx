import { useState } from 'react'
import { deleteAccount, type Me } from '../../../api/account.ts'
import { isDeclined } from '../../../api/confirmation.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { UsernameHint } from '../../../components/UsernameHint.tsx'
import { go, hashOf } from '../../../routes.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'

interface DeleteAccountDialogProps {
  readonly me: Me
  readonly onClose: () => void
}

/** Requires the user name and the password, so that nobody deletes the account by accident. */
export function DeleteAccountDialog({ me, onClose }: DeleteAccountDialogProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => deleteAccount(password),
    // The sign-in screen says when the account will be deleted. Nobody returns to this section.
    onSuccess: () => go(hashOf('login'), { replace: true }),
  })
  const fault = error instanceof ApiProblem ? error.of('password') : undefined
  return (
    <Modal
      title="Delete your account?"
      submit={{
        label: 'Delete Account',
        busyLabel: 'Deleting...',
        isDanger: true,
      }}
      isBusy={isPending}
      isDisabled={name.trim() !== me.username || password === ''}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && fault === undefined && !isDeclined(error) && (
        <Failure error={error} hasTimer={false} />
      )}
      <p>All your sessions end now. For 14 days you can keep the account by signing in.</p>
      <Field
        label={`Type your username, ${me.username}, to confirm`}
        name="confirm-username"
        autoComplete="off"
        value={name}
        inputProps={{ maxLength: 64, spellCheck: false, autoCapitalize: 'none' }}
        onChange={(event) => setName(event.target.value)}
      />
      <UsernameHint username={me.username} />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        error={fault}
        onChange={setPassword}
      />
    </Modal>
  )
}
