import { dayText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeEmail, type Me, meQuery } from '../../../api/account.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { UsernameHint } from '../../../components/UsernameHint.tsx'
import { SettingsForm } from '../../frame/SettingsForm.tsx'

interface ChangeFormProps {
  readonly me: Me
  readonly onSent: (address: string) => void
}

function ChangeForm({ me, onSent }: ChangeFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useWrite({
    mutationFn: changeEmail,
    onSuccess(_, sent) {
      setEmail('')
      setPassword('')
      onSent(sent.email)
    },
  })
  const problem = error instanceof ApiProblem ? error : undefined
  return (
    <SettingsForm
      submit={{ label: 'Send Links', busyLabel: 'Sending...' }}
      isDirty={email !== '' || password !== ''}
      isBusy={isPending}
      error={error}
      fields={['email', 'password']}
      idleHint="Enter the new address and your password."
      onSubmit={() => mutate({ email: email.trim(), password })}
    >
      <dl className="section-facts">
        <div>
          <dt>Current address</dt>
          <dd>{me.email}</dd>
          {me.email_changed_at !== null && (
            <dd className="field-help">Changed on {dayText(me.email_changed_at)}</dd>
          )}
        </div>
      </dl>
      <UsernameHint username={me.username} />
      <Field
        label="New email address"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        error={problem?.of('email')}
        inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label="Current password"
        name="password"
        value={password}
        error={problem?.of('password')}
        onChange={setPassword}
      />
    </SettingsForm>
  )
}

/** The change of the address, which both addresses must confirm. */
export default function EmailSection() {
  const query = useQuery(meQuery)
  const [sentTo, setSentTo] = useState<string>()
  return (
    <Loaded query={query}>
      {(me) => (
        <div className="card section-card">
          <p>
            We mail a link to your current address and another to the new one. The address changes
            when both links are opened, within 24 hours. Until then, your current address stays
            valid.
          </p>
          {sentTo !== undefined && (
            <Message tone="info">
              <p>
                Please open the links that we mailed to <strong>{me.email}</strong> and{' '}
                <strong>{sentTo}</strong>. If a mail does not arrive, check the spam folder.
              </p>
            </Message>
          )}
          <ChangeForm me={me} onSent={setSentTo} />
        </div>
      )}
    </Loaded>
  )
}
