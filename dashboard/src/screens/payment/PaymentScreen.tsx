/** The checkout: `#payment?plan=pro&billing=annual`. */
import { Message } from '@homing/theme/parts/Message.tsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type Me, meQuery } from '../../api/account.ts'
import { type ChosenPlan, intendedPlan, planIn, rememberPlan } from '../../api/intended-plan.ts'
import { operatorQuery } from '../../api/operator.ts'
import { type Subscription, subscriptionQuery } from '../../api/payments.ts'
import { type OfferedPlan, plansQuery } from '../../api/plans.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { NO_PAYMENTS } from '../../components/no-payments.ts'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { planText, priceOf, pricingPage } from '../frame/subscription-words.ts'
import { switchOf } from '../frame/switch-of-provider.ts'
import { firstDraft } from './checkout-draft.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import '../../components/section.css'
import './payment.css'

/** The plan that the URL names, or the one that was chosen before. */
function chosenPlan(query: string): ChosenPlan | undefined {
  const parameters = new URLSearchParams(query)
  return parameters.has('plan') || parameters.has('billing') ? planIn(query) : intendedPlan()
}

interface NoCheckoutProps {
  readonly tone: 'error' | 'info' | 'warn'
  readonly children: ReactNode
}

function NoCheckout({ tone, children }: NoCheckoutProps) {
  return (
    <div className="checkout-none">
      <Message tone={tone}>{children}</Message>
    </div>
  )
}

function Unavailable() {
  const { data: operator } = useQuery(operatorQuery)
  return (
    <NoCheckout tone="warn">
      <p>
        {NO_PAYMENTS} {operator && <a href={`mailto:${operator.support_email}`}>Contact Support</a>}
      </p>
    </NoCheckout>
  )
}

/** To the subscription, or to its change if another plan was chosen. */
function ManageLink({ subscription, chosen }: Pick<CheckoutProps, 'subscription' | 'chosen'>) {
  const { status, plan, interval } = subscription
  const isOther = chosen !== undefined && (chosen.plan !== plan || chosen.billing !== interval)
  if (status !== 'active' || !isOther) {
    return <a href={hashOf('settings', {}, 'plan')}>Manage your subscription</a>
  }
  const change = { dialog: 'change-plan', part: `${chosen.plan}-${chosen.billing}` }
  return (
    <a href={hashOf('settings', change, 'plan')}>
      Change it to {planText({ plan: chosen.plan, interval: chosen.billing })}
    </a>
  )
}

interface CheckoutProps {
  readonly chosen: ChosenPlan | undefined
  readonly me: Me
  readonly subscription: Subscription
  readonly plans: readonly OfferedPlan[]
}

/** Why nothing can be bought; undefined if it can. */
function obstacleOf({ me, subscription, chosen, plans }: CheckoutProps): ReactNode {
  if (me.account_type === 'admin' || me.account_type === 'disabled') {
    return (
      <NoCheckout tone="info">
        <p>
          {me.account_type === 'admin'
            ? 'Administrators have all features. Their accounts cannot subscribe to a plan.'
            : 'This account is disabled and cannot subscribe to a plan.'}
        </p>
      </NoCheckout>
    )
  }
  if (subscription.hasSubscription && switchOf(subscription) === undefined) {
    return (
      <NoCheckout tone="info">
        <p>
          You already have a subscription: {planText(subscription)}.
          {subscription.status === 'incomplete' &&
            ' Its first payment is not confirmed yet. You do not have to pay again.'}
        </p>
        <p>
          <ManageLink subscription={subscription} chosen={chosen} />
        </p>
      </NoCheckout>
    )
  }
  if (!subscription.canUse.card && !subscription.canUse.paypal) return <Unavailable />
  if (chosen === undefined || priceOf(plans, chosen.plan, chosen.billing) === undefined) {
    return (
      <NoCheckout tone="error">
        <p>Invalid plan selection</p>
      </NoCheckout>
    )
  }
  return undefined
}

function Checkout(props: CheckoutProps) {
  const { chosen, me, subscription, plans } = props
  const [initial] = useState(() => firstDraft(me, subscription))
  const obstacle = obstacleOf(props)
  const price = chosen && priceOf(plans, chosen.plan, chosen.billing)
  if (obstacle !== undefined || chosen === undefined || price === undefined) return obstacle
  const other = switchOf(subscription)
  return (
    <div className="checkout">
      <OrderSummary
        chosen={chosen}
        price={price}
        plans={plans}
        beginsAt={other?.beginsAt}
        onChange={(next) => go(hashOf('payment', { ...next }), { replace: true })}
      />
      <CheckoutForm
        userId={me.id}
        chosen={chosen}
        price={price}
        canUse={subscription.canUse}
        other={other}
        initial={initial}
      />
    </div>
  )
}

/** Everything that the checkout reads, as one thing: it appears at once, and nothing moves afterwards. */
function useCheckoutData() {
  const [me, subscription, plans] = [
    useQuery(meQuery),
    useQuery({ ...subscriptionQuery, refetchInterval: false }),
    useQuery(plansQuery),
  ]
  const all = [me, subscription, plans]
  const isRead =
    me.data !== undefined && subscription.data !== undefined && plans.data !== undefined
  return {
    data: isRead ? { me: me.data, subscription: subscription.data, plans: plans.data } : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    fetchStatus: all.find(({ fetchStatus }) => fetchStatus === 'paused')?.fetchStatus ?? 'idle',
    refetch: () => {
      for (const { error, refetch } of all) if (error !== null) void refetch()
    },
  } as const
}

function LoadedCheckout({ chosen }: Pick<CheckoutProps, 'chosen'>) {
  const query = useCheckoutData()
  return (
    <Loaded query={query} placeholder={<CheckoutSkeleton />}>
      {(data) => <Checkout chosen={chosen} {...data} />}
    </Loaded>
  )
}

export default function PaymentScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  const chosen = chosenPlan(query)
  useEffect(() => rememberPlan(query, true), [query])
  if (user === undefined) return null
  return (
    <>
      <AppHeader screen="payment" />
      <main tabIndex={-1} className="page">
        <p>
          <a className="section-link" href={pricingPage(chosen)}>
            Back to pricing
          </a>
        </p>
        <ScreenTitle title="Complete Your Subscription" />
        <LoadedCheckout chosen={chosen} />
      </main>
      <SiteFooter />
    </>
  )
}
