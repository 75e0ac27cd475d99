import { dayText } from '@homing/theme/formats'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, meQuery, type WorkingCredentials } from '../../../api/account.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { useSession } from '../../../api/session.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { UsernameHint } from '../../../components/UsernameHint.tsx'
import { hashOf } from '../../../routes.ts'
import { NewPasswordField } from '../../new-password/NewPasswordField.tsx'
import { credentialsText } from '../../new-password/working-credentials.ts'
import { SettingsForm } from '../../frame/SettingsForm.tsx'
import { PASSWORD_FIELDS, passwordFaults, type TypedPasswords } from './password-faults.ts'

const NOTHING: TypedPasswords = { current_password: '', new_password: '', repeated_password: '' }

const LABELS: Readonly<Record<keyof TypedPasswords, string>> = {
  current_password: 'Current Password',
  new_password: 'New Password',
  repeated_password: 'Confirm New Password',
}

interface Wish extends TypedPasswords {
  readonly revokes: boolean
}

/** @throws ApiProblem, also for faults that are found before the call */
async function send({ revokes, ...typed }: Wish): Promise<WorkingCredentials> {
  const errors = [...passwordFaults(typed)]
  if (errors.length > 0) throw new ApiProblem(422, { errors }, null)
  const { current_password, new_password } = typed
  return changePassword({ current_password, new_password, revoke_credentials: revokes })
}

/** What the change ended, and what can still access the account. */
function Changed({ working }: { readonly working: WorkingCredentials }) {
  const rest = credentialsText(working)
  return (
    <Message tone="info">
      <p>Your password was changed. All your other sessions have ended.</p>
      <p>
        {rest === ''
          ? 'Nothing else can access your account: there are no API keys, update tokens, trusted pipelines or passkeys.'
          : `These still work: ${rest}.`}
      </p>
    </Message>
  )
}

/** When the password was changed last. The form works without it. */
function LastChange() {
  const { data: me } = useQuery(meQuery)
  const changedAt = me?.password_changed_at ?? null
  if (changedAt === null) return null
  return <p className="muted">Your password was changed on {dayText(changedAt)}.</p>
}

interface RevokeChoiceProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

function RevokeChoice({ isChecked, onChange }: RevokeChoiceProps) {
  return (
    <CheckField
      name="revoke_credentials"
      isChecked={isChecked}
      onChange={onChange}
      help="Choose this if somebody else may have had access to your account. Routers and pipelines then need new credentials."
    >
      Also revoke API keys, update tokens, trusted pipelines and passkeys
    </CheckField>
  )
}

export default function PasswordSection() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(NOTHING)
  const [revokes, setRevokes] = useState(false)
  const { mutate, isPending, error, data } = useWrite({
    mutationFn: send,
    onSuccess() {
      setTyped(NOTHING)
      setRevokes(false)
      void queries.invalidateQueries()
    },
  })
  const input = (name: keyof TypedPasswords) => ({
    name,
    label: LABELS[name],
    value: typed[name],
    error: error instanceof ApiProblem ? error.of(name) : undefined,
    onChange: (text: string) => setTyped({ ...typed, [name]: text }),
  })
  return (
    <div className="card section-card">
      <p>
        A new password ends <a href={hashOf('settings', {}, 'sessions')}>all your other sessions</a>{' '}
        and invalidates links that set a password or an address.
      </p>
      <LastChange />
      {data && <Changed working={data} />}
      <SettingsForm
        submit={{ label: 'Change Password', busyLabel: 'Changing...' }}
        isDirty={PASSWORD_FIELDS.some((field) => typed[field] !== '')}
        isBusy={isPending}
        error={error}
        fields={PASSWORD_FIELDS}
        idleHint="Enter your current and your new password."
        onSubmit={() => mutate({ ...typed, revokes })}
      >
        <UsernameHint username={user?.username} />
        <PasswordField {...input('current_password')} />
        <NewPasswordField
          {...input('new_password')}
          names={user === undefined ? [] : [user.username, user.email]}
        />
        <PasswordField {...input('repeated_password')} isNew />
        <RevokeChoice isChecked={revokes} onChange={setRevokes} />
      </SettingsForm>
    </div>
  )
}
