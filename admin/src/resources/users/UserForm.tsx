/** The form of an account. What costs is said before it is saved; one's own office is not here to lose. */
import Button from '@mui/material/Button'
import { useState } from 'react'
import {
  email,
  Form,
  maxLength,
  required,
  useEditContext,
  useGetIdentity,
  useNotify,
} from 'react-admin'
import { useFormState } from 'react-hook-form'
import type { AdminPlan, AdminUser, AdminUserChange } from '../../api.ts'
import { changedFields } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { Checkbox, Select, TextInput } from '../../layout/fields.tsx'
import { LeaveGuard } from '../../layout/LeaveGuard.tsx'
import { faultsOf, messageOf } from '../../problem.ts'
import { changeEffects, changeName } from './plan-effect.ts'
import { PLAN_CHOICES } from './plan-labels.ts'

const ADDRESS = [required(), email(), maxLength(254)]
const NAME = [maxLength(100)]
const OWN_OFFICE = 'Your own: only another administrator can change it.'

function SaveBar({ isSaving }: { isSaving: boolean }) {
  const { isDirty } = useFormState()
  return (
    <div className="form-actions">
      <Button type="submit" variant="contained" disabled={!isDirty} loading={isSaving}>
        Save
      </Button>
      <span className="faint">{isDirty ? 'Not saved yet.' : 'Nothing has been changed.'}</span>
      <LeaveGuard isDirty={isDirty && !isSaving} />
    </div>
  )
}

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
        label="May sign in, and names are served"
        whyDisabled={whyDisabled}
      />
      <TextInput source="email" label="E-mail address" type="email" validate={ADDRESS} />
      <TextInput source="given_name" label="Given name" validate={NAME} />
      <TextInput source="surname" label="Surname" validate={NAME} />
    </>
  )
}

interface Question {
  readonly name: ReturnType<typeof changeName>
  readonly effects: readonly string[]
  readonly answer: (isConfirmed: boolean) => void
}

function Effects({ question }: { question: Question | undefined }) {
  // While the dialog goes away it still says what it said.
  const [last, setLast] = useState<Question>()
  if (question !== undefined && question !== last) setLast(question)
  return (
    <Confirm
      isOpen={question !== undefined}
      title={last?.name.question ?? ''}
      action={last?.name.verb ?? ''}
      onConfirm={() => question?.answer(true)}
      onCancel={() => question?.answer(false)}
    >
      <ul className="effects">
        {last?.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </Confirm>
  )
}

/** A question and its answer as one step of a submission. */
function useQuestion() {
  const [question, setQuestion] = useState<Question>()
  const ask = async (asked: Omit<Question, 'answer'>) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setQuestion({ ...asked, answer: resolve })
    const isConfirmed = await promise
    setQuestion(undefined)
    return isConfirmed
  }
  return { question, ask }
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
        // What is wrong with a field is said there.
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
