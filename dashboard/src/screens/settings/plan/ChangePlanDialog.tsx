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
import { rememberChange } from '../../../api/intended-plan.ts'
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
import {
  amountText,
  CYCLE_NAMES,
  planText,
  priceOf,
  priceText,
} from '../../frame/subscription-words.ts'

interface ChangePlanDialogProps {
  readonly subscription: Subscription
  /** The plan that is chosen at first. */
  readonly first: PaidPlan
  readonly onClose: () => void
}

const CHANGE_FAILURE = 'Failed to change the plan'

/** The choice that the URL names, such as `elite-annual`; at first another plan, or the other cycle of the same plan. */
function useChoice({ plan, interval }: Subscription, first: PaidPlan) {
  const [part, choose] = useDialogPart()
  const [named, cycle] = (part ?? '').split('-', 2)
  const chosen: PlanChange = {
    plan: PAID_PLANS.find((each) => each === named) ?? first,
    billing:
      BILLING_CYCLES.find((each) => each === cycle) ??
      (plan === first ? otherCycle(interval) : (interval ?? 'monthly')),
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

const isPlanned = ({ plan, billing }: PlanChange, { pendingChange }: Subscription) =>
  pendingChange?.plan === plan && pendingChange.billing === billing

const APPROVAL = 'You approve the change on the page of the payment provider.'

type UnchangedProps = Pick<Subscription, 'pendingChange'> & Pick<PlanChangePreview, 'needsApproval'>

/** The choice of the present plan: it takes a planned change back. */
function Unchanged({ pendingChange, needsApproval }: UnchangedProps) {
  if (pendingChange === null) return <p role="status">This is your present plan.</p>
  const { plan, billing, at } = pendingChange
  return (
    <p role="status">
      This is your present plan. You keep it, and the change to{' '}
      {planText({ plan, interval: billing })}, on {dayText(at)} is taken back.
      {needsApproval && ` ${APPROVAL}`}
    </p>
  )
}

interface EffectsProps extends Pick<ChangePlanDialogProps, 'subscription'> {
  readonly chosen: PlanChange
  readonly preview: PlanChangePreview
}

/** The effects in sentences and figures. */
function Effects({ subscription, chosen, preview }: EffectsProps) {
  const { kind, takesEffect, takesEffectAt, dueNowCents, creditCents, currency } = preview
  const { nextPaymentCents, nextPaymentAt, withheldDomains, needsApproval } = preview
  if (kind === 'unchanged') {
    return <Unchanged pendingChange={subscription.pendingChange} needsApproval={needsApproval} />
  }
  const nextDay = dayText(nextPaymentAt)
  const isProrated = creditCents > 0 && dueNowCents > 0
  const figures: (readonly [label: string, cents: number])[] = [
    ...(isProrated
      ? [[`${PLAN_NAMES[chosen.plan]} until ${nextDay}`, dueNowCents + creditCents] as const]
      : []),
    ...(creditCents > 0 ? [['Credit for unused time', -creditCents] as const] : []),
    ['Due now', dueNowCents],
    [`Next payment on ${nextDay}`, nextPaymentCents],
  ]
  return (
    <div className="plan-effects" role="status">
      <p>
        {isPlanned(chosen, subscription) && 'This change is planned already. '}
        {takesEffect === 'now'
          ? 'The plan changes at once.'
          : `The plan changes on ${dayText(takesEffectAt)}, at the end of the paid period.`}
      </p>
      <dl>
        {figures.map(([label, cents]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amountText(cents, currency)}</dd>
          </div>
        ))}
      </dl>
      {creditCents > 0 && dueNowCents === 0 && (
        <p>The credit pays for the new plan until the next payment.</p>
      )}
      {withheldDomains > 0 && (
        <p>
          DNS stops answering for {counted(withheldDomains, 'domain')} over the limit of the new
          plan, the newest first. They are kept.
        </p>
      )}
      {needsApproval && <p>{APPROVAL}</p>}
    </div>
  )
}

function submitLabel(
  preview: PlanChangePreview | undefined,
  { pendingChange }: Subscription,
): string {
  if (preview?.needsApproval === true) return 'Continue'
  if (preview?.kind === 'unchanged' && pendingChange !== null) return 'Keep Present Plan'
  if (preview === undefined || preview.dueNowCents <= 0) return 'Change Plan'
  return `Pay ${amountText(preview.dueNowCents, preview.currency)} and Change Plan`
}

interface ChangeOrder {
  readonly chosen: PlanChange
  /** When what is approved begins; undefined: at once. */
  readonly begins: string | undefined
  readonly onClose: () => void
}

/** When the choice begins, if not at once. The present plan, too, is one that begins when the planned one would. */
function beginOf(preview: PlanChangePreview | undefined, { pendingChange }: Subscription) {
  if (preview?.kind === 'unchanged') return pendingChange?.at
  return preview?.takesEffect === 'period-end' ? preview.takesEffectAt : undefined
}

/** Whether the choice changes anything: the present plan does so if another one is planned. */
const isChange = (chosen: PlanChange, subscription: Subscription, { kind }: PlanChangePreview) =>
  kind === 'unchanged' ? subscription.pendingChange !== null : !isPlanned(chosen, subscription)

/** Sends the change. Goes to the provider if it has to be paid or approved there. */
function useChange({ chosen, begins, onClose }: ChangeOrder) {
  const queries = useQueryClient()
  const [change] = useState(() => new RepeatableChange())
  return useWrite({
    mutationFn: async () => {
      const result = await change.send(chosen, changePlan)
      if (result.checkoutUrl === null) return result
      // The page after the payment waits for this plan, or says when it begins.
      rememberChange(chosen, begins)
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

export function ChangePlanDialog({ subscription, first, onClose }: ChangePlanDialogProps) {
  const [chosen, choose] = useChoice(subscription, first)
  const { data: plans = [] } = useQuery(plansQuery)
  const preview = useQuery(changePreviewQuery(chosen))
  const { mutate, isPending, error, reset } = useChange({
    chosen,
    begins: beginOf(preview.data, subscription),
    onClose,
  })
  const isReady = preview.data !== undefined && isChange(chosen, subscription, preview.data)
  return (
    <Modal
      title="Change your plan"
      width="sm"
      submit={{ label: submitLabel(preview.data, subscription), busyLabel: 'Processing...' }}
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
      {preview.data && (
        <Effects subscription={subscription} chosen={chosen} preview={preview.data} />
      )}
    </Modal>
  )
}
