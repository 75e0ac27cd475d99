/** The form of a plan. The API counts the effects on the plan's accounts, and the form shows them before it saves. */
import { PLAN_BOUNDS } from '@homing/openapi/client'
import {
  maxValue,
  minValue,
  required,
  useDataProvider,
  useEditContext,
  useNotify,
} from 'react-admin'
import type { AdminPlan, AdminPlanChange } from '../../api/client.ts'
import { type AdminDataProvider, changedFields } from '../../dataProvider.ts'
import { useQuestion } from '../../layout/Effects.tsx'
import { CheckboxGroup, NumberInput } from '../../layout/fields.tsx'
import { useConflict } from '../../layout/conflict.ts'
import { useFormHandle } from '../../layout/FormHandle.tsx'
import { ReviewedForm, useComplaint, usePreview } from '../../layout/ReviewedForm.tsx'
import { codeOf, faultsOf } from '../../api/problem.ts'
import { ABILITY_CHOICES } from './ability-labels.ts'
import { planChangeEffects } from './plan-change-effect.ts'
import { FIELD_LABELS, onTopOf, planConflictText } from './plan-conflict.ts'
import { PLAN_LABELS } from './plan-labels.ts'

/** The bounds from the contract. The API checks them too. */
function rulesOf(field: keyof typeof PLAN_BOUNDS) {
  const { minimum, maximum } = PLAN_BOUNDS[field]
  return [required(), minValue(minimum), maxValue(maximum)]
}

const DOMAIN_LIMIT = rulesOf('domain_limit')
const TTL = rulesOf('ttl')
const STEALTH_FLAG_LIMIT = rulesOf('stealth_flag_limit')
const MONITOR_INTERVAL = rulesOf('monitor_interval')
const RECORD_LIMIT = rulesOf('record_limit')

/** What counts as a record of the plan. */
const COUNTED: Readonly<Record<AdminPlan['record_types'], string>> = {
  txt: 'The plan includes TXT records only, and counts their values.',
  all: 'The plan includes records of every type. All values of one name and type count as one.',
}

function Fields({ plan }: { plan: AdminPlan }) {
  return (
    <>
      <NumberInput
        source="domain_limit"
        label={FIELD_LABELS.domain_limit}
        help="The most domains that an account can have. Wildcards do not count."
        validate={DOMAIN_LIMIT}
      />
      <NumberInput
        source="ttl"
        label={FIELD_LABELS.ttl}
        help="How long resolvers cache an address."
        validate={TTL}
      />
      <NumberInput
        source="record_limit"
        label={FIELD_LABELS.record_limit}
        help={`${COUNTED[plan.record_types]} Accounts above a lower limit keep their records.`}
        validate={RECORD_LIMIT}
      />
      <NumberInput
        source="stealth_flag_limit"
        label={FIELD_LABELS.stealth_flag_limit}
        validate={STEALTH_FLAG_LIMIT}
      />
      <NumberInput
        source="monitor_interval"
        label={FIELD_LABELS.monitor_interval}
        help="The shortest time between two checks of a monitor, on a plan with uptime monitoring."
        validate={MONITOR_INTERVAL}
      />
      <CheckboxGroup source="abilities" label={FIELD_LABELS.abilities} choices={ABILITY_CHOICES} />
    </>
  )
}

/** Asks the API for the effects of a change, and the user for confirmation. */
function useChangeQuestion(plan: AdminPlan) {
  const provider = useDataProvider<AdminDataProvider>()
  const { question, ask } = useQuestion()
  const { isCounting, previewed } = usePreview((change: AdminPlanChange) =>
    provider.previewPlan(plan.id, change),
  )
  const name = { question: `Change the plan ${PLAN_LABELS[plan.id]}?`, verb: 'Change plan' }
  const confirmed = async (change: AdminPlanChange) =>
    ask({ name, effects: planChangeEffects(await previewed(change)) })
  return { question, isCounting, confirmed }
}

export function PlanForm({ plan }: { plan: AdminPlan }) {
  const { save, saving } = useEditContext<AdminPlan>()
  const notify = useNotify()
  const form = useFormHandle(plan)
  const showConflict = useConflict(form)
  const { question, isCounting, confirmed } = useChangeQuestion(plan)
  const complain = useComplaint()

  async function submit(values: Record<string, unknown>) {
    const change: AdminPlanChange = changedFields('plans', { data: values, previousData: plan })
    try {
      if (!(await confirmed(change))) return undefined
    } catch (error) {
      complain(error)
      return faultsOf(error)
    }
    const versioned = { ...values, version: form.base.current.version }
    return save?.(versioned, {
      onSuccess(saved) {
        notify('Saved.', { type: 'success' })
        form.show(saved)
      },
      onError(error: unknown) {
        if (codeOf(error) !== 'version-mismatch') return complain(error)
        return void showConflict({
          text: planConflictText,
          onTopOf: (present, before) => onTopOf(present, before, change),
        })
      },
    })
  }

  return (
    <ReviewedForm
      record={plan}
      form={form}
      question={question}
      isSaving={(saving ?? false) || isCounting}
      onSubmit={submit}
    >
      <Fields plan={plan} />
    </ReviewedForm>
  )
}
