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
import { type FormHandle, useFormHandle } from '../../layout/FormHandle.tsx'
import { ReviewedForm, useComplaint, usePreview } from '../../layout/ReviewedForm.tsx'
import { faultsOf } from '../../api/problem.ts'
import { PLAN_CHOICES, PLAN_LABELS } from '../plans/plan-labels.ts'
import { useSubscriptionsOf } from '../subscriptions/live-subscription.ts'
import { changeEffects, changeName, hasEffects } from './plan-effect.ts'

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
        label="Plan"
        choices={PLAN_CHOICES}
        validate={required()}
        whyDisabled={whyDisabled}
      />
      <Checkbox
        source="enabled"
        label="Can sign in, and domains are served"
        whyDisabled={plan === 'disabled' ? CLOSED_BY_PLAN : whyDisabled}
      />
      <TextInput source="email" label="Email address" type="email" validate={ADDRESS} />
      <TextInput source="given_name" label="Given name" validate={NAME} />
      <TextInput source="surname" label="Surname" validate={NAME} />
    </>
  )
}

/** Another administrator, or a payment, changed the plan after the form was loaded. */
class PlanChanged extends Error {
  constructor(plan: AdminUser['account_type']) {
    const label = PLAN_LABELS[plan]
    super(`The plan was changed to ${label} in the meantime. Check the form, then save again.`)
    this.name = 'PlanChanged'
  }
}

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
    if (preview.from !== user.account_type) throw new PlanChanged(preview.from)
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
  { show, showChanged }: FormHandle,
) {
  const { save, refetch } = useEditContext<AdminUser>()
  const notify = useNotify()
  const refresh = useRefresh()
  const complain = useComplaint()
  /** Shows the account's present plan. The other changes stay in the form. */
  async function showPresent(change: AdminUserChange) {
    const { data } = await refetch()
    if (data !== undefined) showChanged(data, { ...change, account_type: data.account_type })
  }
  return async (values: Record<string, unknown>) => {
    const change: AdminUserChange = changedFields('users', { data: values, previousData: user })
    try {
      if (!(await confirmed(change))) return undefined
    } catch (error) {
      if (error instanceof PlanChanged) await showPresent(change)
      complain(error)
      return faultsOf(error)
    }
    return save?.(values, {
      onSuccess(saved) {
        notify('Saved.', { type: 'success' })
        show(saved)
        // The subscription follows the account.
        if (hasEffects(change)) refresh()
      },
      onError: complain,
    })
  }
}

export function UserForm(props: UserFormProps) {
  const { user } = props
  const { saving } = useEditContext<AdminUser>()
  const { identity } = useGetIdentity()
  const { question, isCounting, confirmed } = useChangeQuestion(props)
  const form = useFormHandle()
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
