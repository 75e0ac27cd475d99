/** The form of an account. It shows the effects of a change before it saves. Administrators cannot revoke their own role. */
import {
  email,
  Form,
  maxLength,
  required,
  useEditContext,
  useGetIdentity,
  useNotify,
} from 'react-admin'
import type { AdminPlan, AdminUser, AdminUserChange } from '../../api/client.ts'
import { changedFields } from '../../dataProvider.ts'
import { Effects, useQuestion } from '../../layout/Effects.tsx'
import { Checkbox, Select, TextInput } from '../../layout/fields.tsx'
import { SaveBar } from '../../layout/SaveBar.tsx'
import { faultsOf, messageOf } from '../../api/problem.ts'
import { changeEffects, changeName } from './plan-effect.ts'
import { PLAN_CHOICES } from '../plans/plan-labels.ts'

const ADDRESS = [required(), email(), maxLength(254)]
const NAME = [maxLength(100)]
const OWN_OFFICE = 'Only another administrator can change this for your account.'

function Fields({ isOwn }: { isOwn: boolean }) {
  const whyDisabled = isOwn ? OWN_OFFICE : undefined
  return (
    <>
      <Select
        source="account_type"
        label="Plan"
        choices={PLAN_CHOICES}
        validate={required()}
        whyDisabled={whyDisabled}
      />
      <Checkbox
        source="enabled"
        label="Can sign in, and domains are served"
        whyDisabled={whyDisabled}
      />
      <TextInput source="email" label="Email address" type="email" validate={ADDRESS} />
      <TextInput source="given_name" label="Given name" validate={NAME} />
      <TextInput source="surname" label="Surname" validate={NAME} />
    </>
  )
}

interface UserFormProps {
  readonly user: AdminUser
  readonly plans: readonly AdminPlan[] | undefined
}

export function UserForm({ user, plans }: UserFormProps) {
  const { save, saving } = useEditContext<AdminUser>()
  const { identity } = useGetIdentity()
  const notify = useNotify()
  const { question, ask } = useQuestion()

  async function submit(values: Record<string, unknown>) {
    const change = changedFields('users', { data: values, previousData: user }) as AdminUserChange
    const effects = changeEffects(user, change, plans ?? [])
    const name = changeName(user, change)
    if (effects.length > 0 && !(await ask({ name, effects }))) return undefined
    return save?.(values, {
      onSuccess: () => notify('Saved.', { type: 'success' }),
      onError(error: unknown) {
        // An invalid field shows its own error.
        if (faultsOf(error)) return
        notify(messageOf(error), { type: 'error', autoHideDuration: null })
      },
    })
  }

  return (
    <>
      <Form record={user} onSubmit={submit} className="stack" noValidate>
        <Fields isOwn={identity?.id === user.id} />
        <SaveBar isSaving={saving ?? false} />
      </Form>
      <Effects question={question} />
    </>
  )
}
