/** The form of a plan. The API counts the effects on the plan's accounts, and the form shows them before it saves. */
import { PLAN_BOUNDS } from '@homing/openapi/client'
import { useState } from 'react'
import {
  Form,
  maxValue,
  minValue,
  required,
  useDataProvider,
  useEditContext,
  useNotify,
} from 'react-admin'
import type { AdminPlan, AdminPlanChange } from '../../api/client.ts'
import { type AdminDataProvider, changedFields } from '../../dataProvider.ts'
import { Effects, useQuestion } from '../../layout/Effects.tsx'
import { CheckboxGroup, NumberInput } from '../../layout/fields.tsx'
import { SaveBar } from '../../layout/SaveBar.tsx'
import { faultsOf, messageOf } from '../../api/problem.ts'
import { ABILITY_CHOICES } from './ability-labels.ts'
import { planChangeEffects } from './plan-change-effect.ts'
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
        label="Domain limit"
        help="The most domains that an account can have. Wildcards do not count."
        validate={DOMAIN_LIMIT}
      />
      <NumberInput
        source="ttl"
        label="TTL in seconds"
        help="How long resolvers cache an address."
        validate={TTL}
      />
      <NumberInput
        source="record_limit"
        label="Record limit"
        help={`${COUNTED[plan.record_types]} Accounts above a lower limit keep their records.`}
        validate={RECORD_LIMIT}
      />
      <NumberInput
        source="stealth_flag_limit"
        label="Stealth web forwards"
        validate={STEALTH_FLAG_LIMIT}
      />
      <NumberInput
        source="monitor_interval"
        label="Monitor interval in seconds"
        help="The shortest time between two checks of a monitor, on a plan with uptime monitoring."
        validate={MONITOR_INTERVAL}
      />
      <CheckboxGroup source="abilities" label="Features" choices={ABILITY_CHOICES} />
    </>
  )
}

/** Asks the API for the effects of a change, and the user for confirmation. */
function useChangeQuestion(plan: AdminPlan) {
  const provider = useDataProvider<AdminDataProvider>()
  const { question, ask } = useQuestion()
  const [isCounting, setCounting] = useState(false)
  const name = { question: `Change the plan ${PLAN_LABELS[plan.id]}?`, verb: 'Change plan' }
  const previewed = async (change: AdminPlanChange) => {
    setCounting(true)
    try {
      return await provider.previewPlan(plan.id, change)
    } finally {
      setCounting(false)
    }
  }
  const confirmed = async (change: AdminPlanChange) =>
    ask({ name, effects: planChangeEffects(await previewed(change)) })
  return { question, isCounting, confirmed }
}

export function PlanForm({ plan }: { plan: AdminPlan }) {
  const { save, saving } = useEditContext<AdminPlan>()
  const notify = useNotify()
  const { question, isCounting, confirmed } = useChangeQuestion(plan)
  // An invalid field shows its own error.
  const complain = (error: unknown) => {
    if (!faultsOf(error)) notify(messageOf(error), { type: 'error', autoHideDuration: null })
  }

  async function submit(values: Record<string, unknown>) {
    const change = changedFields('plans', { data: values, previousData: plan }) as AdminPlanChange
    try {
      if (!(await confirmed(change))) return undefined
    } catch (error) {
      complain(error)
      return faultsOf(error)
    }
    return save?.(values, {
      onSuccess: () => notify('Saved.', { type: 'success' }),
      onError: complain,
    })
  }

  return (
    <>
      <Form record={plan} onSubmit={submit} className="stack" noValidate>
        <Fields plan={plan} />
        <SaveBar isSaving={(saving ?? false) || isCounting} />
      </Form>
      <Effects question={question} />
    </>
  )
}
