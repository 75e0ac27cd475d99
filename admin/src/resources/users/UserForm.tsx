/** The form of an account. It shows the effects of a change before it saves. Administrators cannot revoke their own role. */
import {
  email,
  maxLength,
  required,
  useDataProvider,
  useEditContext,
  useGetIdentity,
  useNotify,
  useRefresh,
} from 'react-admin'
import { useWatch } from 'react-hook-form'
import type { AdminPlan, AdminUser, AdminUserChange } from '../../api/client.ts'
import { type AdminDataProvider, changedFields } from '../../dataProvider.ts'
import { useQuestion } from '../../layout/Effects.tsx'
import { Checkbox, Select, TextInput } from '../../layout/fields.tsx'
import { useConflict } from '../../layout/conflict.ts'
import { type FormHandle, useFormHandle } from '../../layout/FormHandle.tsx'
import { ReviewedForm, useComplaint, usePreview } from '../../layout/ReviewedForm.tsx'
import { codeOf, faultsOf } from '../../api/problem.ts'
import { PLAN_CHOICES } from '../plans/plan-labels.ts'
import { useSubscriptionsOf } from '../subscriptions/live-subscription.ts'
import { changeEffects, changeName, hasEffects } from './plan-effect.ts'
import { FIELD_LABELS, userConflictText } from './user-conflict.ts'

const ADDRESS = [required(), email(), maxLength(254)]
const NAME = [maxLength(100)]
const OWN_OFFICE = 'Only another administrator can change this for your account.'

const CLOSED_BY_PLAN =
  'The plan Disabled closes the account: the user cannot sign in, and no domains are served. To open it, choose another plan.'

function Fields({ isOwn }: { isOwn: boolean }) {
  const whyDisabled = isOwn ? OWN_OFFICE : undefined
  const plan: unknown = useWatch({ name: 'account_type' })
  return (
    <>
      <Select
        source="account_type"
        label={FIELD_LABELS.account_type}
        choices={PLAN_CHOICES}
        validate={required()}
        whyDisabled={whyDisabled}
      />
      <Checkbox
        source="enabled"
        label={FIELD_LABELS.enabled}
        whyDisabled={plan === 'disabled' ? CLOSED_BY_PLAN : whyDisabled}
      />
      <TextInput source="email" label={FIELD_LABELS.email} type="email" validate={ADDRESS} />
      <TextInput source="given_name" label={FIELD_LABELS.given_name} validate={NAME} />
      <TextInput source="surname" label={FIELD_LABELS.surname} validate={NAME} />
    </>
  )
}

/** Another administrator, or a payment, changed the plan after the form was loaded. */
class PlanChanged extends Error {}

interface UserFormProps {
  readonly user: AdminUser
  readonly plans: readonly AdminPlan[] | undefined
}

/** Fetches the effects of a change, and asks the administrator for confirmation. */
function useChangeQuestion({ user, plans }: UserFormProps) {
  const provider = useDataProvider<AdminDataProvider>()
  const { live: paid } = useSubscriptionsOf(user.id)
  const { question, ask } = useQuestion()
  const { isCounting, previewed } = usePreview((change: AdminUserChange) =>
    provider.previewUser(user.id, change),
  )
  /** @throws HttpError, PlanChanged */
  const confirmed = async (change: AdminUserChange) => {
    if (!hasEffects(change)) return true
    const preview = await previewed(change)
    if (preview.from !== user.account_type) throw new PlanChanged()
    const effects = changeEffects(user, change, { preview, plans: plans ?? [], paid })
    if (effects.length === 0) return true
    return ask({ name: changeName(user, change, preview.to), effects })
  }
  return { question, isCounting, confirmed }
}

/** Saves the form. Afterwards it shows the account as the API returned it: a plan that is paid for stays. */
function useSubmit(
  { user }: UserFormProps,
  confirmed: (change: AdminUserChange) => Promise<boolean>,
  form: FormHandle<AdminUser>,
) {
  const { save } = useEditContext<AdminUser>()
  const notify = useNotify()
  const refresh = useRefresh()
  const complain = useComplaint()
  const showConflict = useConflict(form)
  const join = (change: AdminUserChange) =>
    showConflict({ text: userConflictText, onTopOf: () => change })
  return async (values: Record<string, unknown>) => {
    const change: AdminUserChange = changedFields('users', { data: values, previousData: user })
    try {
      if (!(await confirmed(change))) return undefined
    } catch (error) {
      if (error instanceof PlanChanged) {
        await join(change)
        return undefined
      }
      complain(error)
      return faultsOf(error)
    }
    const versioned = { ...values, version: form.base.current.version }
    return save?.(versioned, {
      onSuccess(saved) {
        notify('Saved.', { type: 'success' })
        form.show(saved)
        // The subscription follows the account.
        if (hasEffects(change)) refresh()
      },
      onError(error: unknown) {
        if (codeOf(error) === 'version-mismatch') void join(change)
        else complain(error)
      },
    })
  }
}

export function UserForm(props: UserFormProps) {
  const { user } = props
  const { saving } = useEditContext<AdminUser>()
  const { identity } = useGetIdentity()
  const { question, isCounting, confirmed } = useChangeQuestion(props)
  const form = useFormHandle(user)
  const submit = useSubmit(props, confirmed, form)
  return (
    <ReviewedForm
      record={user}
      form={form}
      question={question}
      isSaving={(saving ?? false) || isCounting}
      onSubmit={submit}
    >
      <Fields isOwn={identity?.id === user.id} />
    </ReviewedForm>
  )
}
