/** The subscription: its state, the next payment, and what its owner can do about it. */
import { dayText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Me } from '../../../api/account.ts'
import { operatorQuery } from '../../../api/operator.ts'
import {
  PAYMENTS_KEY,
  paymentMethodPage,
  resumeSubscription,
  type Subscription,
} from '../../../api/payments.ts'
import { goToProvider, onReturn } from '../../../api/provider-page.ts'
import { useDialogInUrl } from '../../../dialog-url.ts'
import { PLAN_NAMES } from '../../frame/plan-words.ts'
import { hashOf, placeOf, useHash } from '../../../routes.ts'
import { amountText, CYCLE_NAMES, stateOf, stateSentence } from '../../frame/subscription-words.ts'
import { switchOf } from '../../frame/switch-of-provider.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { RefundDialog } from './RefundDialog.tsx'

const DIALOGS = ['change-plan', 'change-billing', 'cancel-subscription', 'refund'] as const
type DialogName = (typeof DIALOGS)[number]

const METHOD_FAILURE = 'Failed to update payment method'
const RESUME_FAILURE = 'Failed to resume subscription'

interface SubscriptionProps {
  readonly subscription: Subscription
}

function Facts({ subscription }: SubscriptionProps) {
  const { plan, interval, status, endsAt, nextPaymentDue, isInGracePeriod } = subscription
  const { amountCents, currency, paymentMethod, pendingChange, startedAt } = subscription
  const amount =
    amountCents === null || currency === null ? '' : `, ${amountText(amountCents, currency)}`
  const facts = [
    ['Plan', plan === null ? undefined : PLAN_NAMES[plan]],
    ['Billing', interval === null ? undefined : CYCLE_NAMES[interval]],
    ['Next payment', nextPaymentDue === null ? undefined : dayText(nextPaymentDue) + amount],
    [
      status === 'canceled' ? 'Plan ends' : 'Ends',
      endsAt === null || isInGracePeriod === true ? undefined : dayText(endsAt),
    ],
    ['Payment method', paymentMethod ?? undefined],
    ['Subscribed since', startedAt === null ? undefined : dayText(startedAt)],
    [
      'Planned change',
      pendingChange === null
        ? undefined
        : `${PLAN_NAMES[pendingChange.plan]}, ${CYCLE_NAMES[pendingChange.billing].toLowerCase()}, from ${dayText(pendingChange.at)}`,
    ],
  ] as const
  return (
    <dl className="section-facts subscription-facts">
      {facts.map(
        ([label, text]) =>
          text !== undefined && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** What the state means for the plan. */
function Consequence({ subscription }: SubscriptionProps) {
  const { status, endsAt, isInGracePeriod, complimentaryPlan, followedBy } = subscription
  if (isInGracePeriod === true && endsAt !== null) {
    return (
      <p className="subscription-grace">
        <strong>Grace period until {dayText(endsAt)}</strong>. Your features work until then. Update
        your payment method to keep them.
      </p>
    )
  }
  if (followedBy !== null) {
    const { plan, billing, provider, at } = followedBy
    return (
      <p>
        You keep all features until {dayText(at)}. Then {PLAN_NAMES[plan]},{' '}
        {CYCLE_NAMES[billing].toLowerCase()}, begins, paid{' '}
        {provider === 'paypal' ? 'with PayPal' : 'by card'}.
      </p>
    )
  }
  if (status === 'canceled' && endsAt !== null) {
    return (
      <p>
        You keep all features until {dayText(endsAt)}. Then the account is on the{' '}
        {PLAN_NAMES[complimentaryPlan ?? 'free']} plan. Nothing is deleted.
      </p>
    )
  }
  if (status === 'incomplete') {
    return <p>The first payment is not confirmed yet. You do not have to pay again.</p>
  }
  return status === 'disputed' ? <Disputed /> : null
}

function Disputed() {
  const { data: operator } = useQuery(operatorQuery)
  return (
    <p>
      A payment is disputed. An administrator decides what happens next. Please contact{' '}
      {operator === undefined ? (
        'support'
      ) : (
        <a href={`mailto:${operator.support_email}`}>support</a>
      )}
      .
    </p>
  )
}

/** The change of the payment method, on a page of the provider, which leads back to here. */
function usePaymentMethodPage() {
  const queries = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const write = useWrite({
    mutationFn: async () => goToProvider(await paymentMethodPage()),
    onSuccess: () => setLeaving(true),
  })
  useEffect(
    () =>
      onReturn(() => {
        setLeaving(false)
        void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] })
      }),
    [queries],
  )
  return { ...write, isBusy: write.isPending || isLeaving }
}

function useResume() {
  const queries = useQueryClient()
  return useWrite({
    mutationFn: resumeSubscription,
    onSuccess: ({ message }) => notify({ kind: 'success', text: message }),
    onSettled: () => void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] }),
  })
}

/** Why the plan cannot be changed now; undefined if it can. */
function obstacleOf(status: string | null): string | undefined {
  if (status === 'active') return undefined
  return status === 'past_due'
    ? 'You can upgrade after you pay the outstanding amount.'
    : 'You can upgrade when the subscription is active.'
}

/** The checkout of the same plan at the other provider, if the subscription can be followed by one there. */
function SwitchLink({ subscription }: SubscriptionProps) {
  const { plan, interval } = subscription
  const other = switchOf(subscription)
  if (other === undefined || plan === null || interval === null) return null
  return (
    <Button variant="outlined" href={hashOf('payment', { plan, billing: interval })}>
      {other.method === 'paypal' ? 'Continue with PayPal' : 'Continue by Card'}
    </Button>
  )
}

/** A cancelled subscription can be followed by another one, which can be cancelled before it begins. */
const canCancel = ({ status, followedBy }: Subscription) =>
  status !== 'canceled' || followedBy !== null

interface ButtonsProps extends SubscriptionProps {
  readonly show: (name: DialogName) => void
}

function Buttons({ subscription, show }: ButtonsProps) {
  const { status, plan, refundableUntil, canResume } = subscription
  const method = usePaymentMethodPage()
  const resume = useResume()
  const isCanceled = status === 'canceled'
  const obstacle = obstacleOf(status)
  const error = method.error ?? resume.error
  return (
    <>
      {error && (
        <Failure error={error} otherwise={method.error ? METHOD_FAILURE : RESUME_FAILURE} />
      )}
      <div className="section-actions subscription-buttons">
        {canResume && (
          <Button
            variant="contained"
            aria-disabled={resume.isPending}
            onClick={() => resume.mutate()}
          >
            {resume.isPending ? 'Resuming...' : 'Resume Subscription'}
          </Button>
        )}
        <SwitchLink subscription={subscription} />
        {(status === 'active' || (plan === 'pro' && !isCanceled)) && (
          <Button
            variant={plan === 'pro' && obstacle === undefined ? 'contained' : 'outlined'}
            aria-disabled={obstacle !== undefined}
            aria-describedby={obstacle === undefined ? undefined : 'change-obstacle'}
            onClick={() => obstacle === undefined && show('change-plan')}
          >
            {plan === 'pro' ? 'Upgrade to Elite' : 'Change Plan'}
          </Button>
        )}
        {status === 'active' && plan === 'pro' && (
          <Button variant="outlined" onClick={() => show('change-billing')}>
            Change Billing
          </Button>
        )}
        {!isCanceled && (
          <Button
            variant={status === 'past_due' ? 'contained' : 'outlined'}
            aria-disabled={method.isBusy}
            onClick={() => method.mutate()}
          >
            {method.isBusy ? 'Opening...' : 'Update Payment Method'}
          </Button>
        )}
        {canCancel(subscription) && (
          <Button variant="outlined" color="error" onClick={() => show('cancel-subscription')}>
            Cancel Subscription
          </Button>
        )}
        {refundableUntil !== null && (
          <Button variant="outlined" onClick={() => show('refund')}>
            Get a Refund
          </Button>
        )}
      </div>
      {obstacle !== undefined && plan === 'pro' && !isCanceled && (
        <p id="change-obstacle" className="muted">
          {obstacle}
        </p>
      )}
    </>
  )
}

/** Links of banners, mails and providers lead to the card. On a phone, it is far below the plan. */
function useFocusIfAsked(heading: RefObject<HTMLElement | null>): void {
  const isAsked = placeOf(useHash())?.argument === 'subscription'
  useEffect(() => {
    if (isAsked) heading.current?.focus()
  }, [isAsked, heading])
}

interface SubscriptionCardProps extends SubscriptionProps {
  /** Undefined until it is read. */
  readonly me: Me | undefined
}

export function SubscriptionCard({ subscription, me }: SubscriptionCardProps) {
  const { name, show, close } = useDialogInUrl(DIALOGS)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusIfAsked(heading)
  const { status, refundableUntil } = subscription
  const { label, tone } = stateOf(status)
  return (
    <section className="card section-card" aria-labelledby="subscription-title">
      <div className="settings-head">
        <h2 ref={heading} id="subscription-title" tabIndex={-1}>
          Subscription Management
        </h2>
        <span className={`subscription-state subscription-${tone}`}>{label}</span>
      </div>
      <p>{stateSentence(subscription)}</p>
      <Consequence subscription={subscription} />
      <Facts subscription={subscription} />
      {/* Before the first payment, the provider has nothing to change or to cancel. */}
      {status !== 'incomplete' && <Buttons subscription={subscription} show={show} />}
      {(name === 'change-plan' || name === 'change-billing') && status === 'active' && (
        <ChangePlanDialog
          subscription={subscription}
          first={name === 'change-plan' ? 'elite' : (subscription.plan ?? 'pro')}
          onClose={close}
        />
      )}
      {name === 'cancel-subscription' && canCancel(subscription) && (
        <CancelDialog subscription={subscription} me={me} onClose={close} />
      )}
      {name === 'refund' && refundableUntil !== null && (
        <RefundDialog
          until={refundableUntil}
          nextPlan={subscription.complimentaryPlan ?? 'free'}
          onClose={close}
        />
      )}
    </section>
  )
}
