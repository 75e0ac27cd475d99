/** Another plan or billing cycle, with everything that it costs and changes before it is confirmed. */
import { counted, dayText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../../../api/account.ts'
import { rememberPlan } from '../../../api/intended-plan.ts'
import {
  BILLING_CYCLES,
  type BillingCycle,
  changePlan,
  changePreviewQuery,
  PAID_PLANS,
  type PaidPlan,
  PAYMENTS_KEY,
  type PlanChange,
  type PlanChangePreview,
  type Subscription,
} from '../../../api/payments.ts'
import { type OfferedPlan, plansQuery } from '../../../api/plans.ts'
import { goToProvider } from '../../../api/provider-page.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'
import { Radios } from '../../../components/Choices.tsx'
import { useDialogPart } from '../../../dialog-url.ts'
import { PLAN_NAMES } from '../../frame/plan-words.ts'
import { amountText, CYCLE_NAMES, priceOf, priceText } from '../../frame/subscription-words.ts'

interface ChangePlanDialogProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

const CHANGE_FAILURE = 'Failed to change the plan'

/** The choice that the URL names, such as `elite-annual`; at first the larger plan, or the other cycle. */
function useChoice({ plan, interval }: Subscription) {
  const [part, choose] = useDialogPart()
  const [first, second] = (part ?? '').split('-', 2)
  const chosen: PlanChange = {
    plan: PAID_PLANS.find((each) => each === first) ?? 'elite',
    billing:
      BILLING_CYCLES.find((each) => each === second) ??
      (plan === 'elite' ? otherCycle(interval) : (interval ?? 'monthly')),
  }
  const change = (next: Partial<PlanChange>) => {
    const { plan: to, billing } = { ...chosen, ...next }
    choose(`${to}-${billing}`)
  }
  return [chosen, change] as const
}

const otherCycle = (cycle: BillingCycle | null): BillingCycle =>
  cycle === 'annual' ? 'monthly' : 'annual'

interface ChoiceProps {
  readonly chosen: PlanChange
  readonly plans: readonly OfferedPlan[]
  readonly onChange: (next: Partial<PlanChange>) => void
}

function Choice({ chosen, plans, onChange }: ChoiceProps) {
  const price = (plan: PaidPlan, billing: BillingCycle) => {
    const found = priceOf(plans, plan, billing)
    return found === undefined ? {} : { text: priceText(found, billing) }
  }
  return (
    <>
      <Radios
        legend="Plan"
        className="choices-cards plan-choice"
        value={chosen.plan}
        choices={PAID_PLANS.map((value) => ({
          value,
          label: PLAN_NAMES[value],
          ...price(value, chosen.billing),
        }))}
        onChange={(plan) => onChange({ plan })}
      />
      <Radios
        legend="Billing"
        className="choices-cards plan-choice"
        value={chosen.billing}
        choices={BILLING_CYCLES.map((value) => ({
          value,
          label: CYCLE_NAMES[value],
          ...price(chosen.plan, value),
        }))}
        onChange={(billing) => onChange({ billing })}
      />
    </>
  )
}

/** The effects in sentences and figures. */
function Effects({ preview }: { readonly preview: PlanChangePreview }) {
  const { kind, takesEffect, takesEffectAt, dueNowCents, creditCents, currency } = preview
  const { nextPaymentCents, nextPaymentAt, withheldDomains, needsApproval } = preview
  if (kind === 'unchanged') return <p role="status">This is your present plan.</p>
  const figures = [
    ...(creditCents > 0
      ? [['Credit for unused time', amountText(creditCents, currency)] as const]
      : []),
    ['Due now', amountText(dueNowCents, currency)] as const,
    [`Next payment on ${dayText(nextPaymentAt)}`, amountText(nextPaymentCents, currency)] as const,
  ]
  return (
    <div className="plan-effects" role="status">
      <p>
        {takesEffect === 'now'
          ? 'The plan changes at once.'
          : `The plan changes on ${dayText(takesEffectAt)}, at the end of the paid period.`}
      </p>
      <dl>
        {figures.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {withheldDomains > 0 && (
        <p>
          DNS stops answering for {counted(withheldDomains, 'domain')} over the limit of the new
          plan, the newest first. They are kept.
        </p>
      )}
      {needsApproval && <p>You approve the change on the page of the payment provider.</p>}
    </div>
  )
}

function submitLabel(preview: PlanChangePreview | undefined): string {
  if (preview?.needsApproval === true) return 'Continue'
  if (preview === undefined || preview.dueNowCents <= 0) return 'Change Plan'
  return `Pay ${amountText(preview.dueNowCents, preview.currency)} and Change Plan`
}

/** Sends the change. Goes to the provider if it has to be paid or approved there. */
function useChange(chosen: PlanChange, onClose: () => void) {
  const queries = useQueryClient()
  const [change] = useState(() => new RepeatableChange())
  return useWrite({
    mutationFn: async () => {
      const result = await change.send(chosen, changePlan)
      if (result.checkoutUrl === null) return result
      // The page after the payment waits for this plan.
      rememberPlan(new URLSearchParams({ ...chosen }).toString(), true)
      goToProvider(result.checkoutUrl)
      return result
    },
    onSuccess({ message, checkoutUrl }) {
      if (checkoutUrl !== null) return
      notify({ kind: 'success', text: message })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      onClose()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] }),
  })
}

export function ChangePlanDialog({ subscription, onClose }: ChangePlanDialogProps) {
  const [chosen, choose] = useChoice(subscription)
  const { data: plans = [] } = useQuery(plansQuery)
  const preview = useQuery(changePreviewQuery(chosen))
  const { mutate, isPending, error, reset } = useChange(chosen, onClose)
  const isReady = preview.data !== undefined && preview.data.kind !== 'unchanged'
  return (
    <Modal
      title="Change your plan"
      width="sm"
      submit={{ label: submitLabel(preview.data), busyLabel: 'Processing...' }}
      isBusy={isPending}
      isDisabled={!isReady}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} otherwise={CHANGE_FAILURE} />}
      <Choice
        chosen={chosen}
        plans={plans}
        onChange={(next) => {
          if (error) reset()
          choose(next)
        }}
      />
      {preview.error && (
        <Failure
          error={preview.error}
          otherwise="The preview cannot be shown"
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.isPending && <Waiting>Calculating...</Waiting>}
      {preview.data && <Effects preview={preview.data} />}
    </Modal>
  )
}
