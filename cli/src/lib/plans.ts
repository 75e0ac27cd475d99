/** The plan and the subscription of an account, as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { amount } from './money.ts'
import type { Fact } from './output.ts'
import { printable } from './text.ts'

type Schemas = components['schemas']
export type Subscription = Schemas['Subscription']
type Me = Schemas['Me']
type Usage = Schemas['WebForwardUsage']

/** What is bought: a plan and how often it is paid. */
export type Choice = Schemas['PlanChange']

export const STATUS_FIELDS = [
  'hasSubscription',
  'plan',
  'interval',
  'status',
  'endsAt',
  'nextPaymentDue',
  'isInGracePeriod',
] as const satisfies readonly (keyof Schemas['SubscriptionStatus'])[]

export const PLAN_FIELDS = [
  'account_type',
  'limits',
  ...STATUS_FIELDS,
  'provider',
  'amountCents',
  'currency',
  'paymentMethod',
  'startedAt',
  'pendingChange',
  'followedBy',
  'canResume',
  'refundableUntil',
  'canUse',
  'billingDetails',
  'complimentaryPlan',
] as const satisfies readonly (keyof Subscription | keyof Me)[]

/** The subscription of the caller. @throws CommandFailure */
export const readSubscription = async (api: ApiClient): Promise<Subscription> =>
  bodyOf(await api.GET('/api/subscription/current'), 'hasSubscription', 'canUse')

/** The name of a plan: `Pro`. */
const planName = (plan: string): string =>
  printable(`${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`)

const cycleName = (billing: Choice['billing']) => (billing === 'annual' ? 'annually' : 'monthly')

/** `Pro, paid monthly`. */
export const choiceName = ({ plan, billing }: Choice): string =>
  `${planName(plan)}, paid ${cycleName(billing)}`

/** The day of a time, in UTC. */
export const day = (time: string): string => printable(time.slice(0, 'YYYY-MM-DD'.length))

/** How a provider is called by people. */
export const providerName = (provider: Subscription['provider']): string | null =>
  provider === null ? null : provider === 'paypal' ? 'PayPal' : 'card'

const priceOf = ({ amountCents, currency }: Subscription) =>
  amountCents === null || currency === null ? null : amount(amountCents, currency)

function withoutSubscription(
  accountType: string,
  { complimentaryPlan: complimentary, canUse }: Subscription,
): string {
  if (complimentary !== null) {
    return `An administrator gave you the ${planName(complimentary)} plan free of charge.`
  }
  if (accountType === 'free') {
    const next =
      canUse.card || canUse.paypal
        ? 'Next: homing plan change pro'
        : 'Payments are not available on this service.'
    return `You have the free plan. ${next}`
  }
  return `Your account has the type ${printable(accountType)}, and no subscription.`
}

function followedText({
  at,
  provider,
  plan,
  billing,
}: NonNullable<Subscription['followedBy']>): string {
  const way = provider === 'paypal' ? 'with PayPal' : 'by card'
  return `Your present subscription ends on ${day(at)}. Then ${planName(plan)} begins, paid ${cycleName(billing)} ${way}.`
}

/** The state of the account's plan in a sentence, and what can be done about it. */
export function planSentence(accountType: string, subscription: Subscription): string {
  const { plan, interval, status, endsAt, nextPaymentDue, pendingChange } = subscription
  if (!subscription.hasSubscription || plan === null || interval === null) {
    return withoutSubscription(accountType, subscription)
  }
  const until = endsAt === null ? '' : ` You keep ${planName(plan)} until ${day(endsAt)}.`
  if (status === 'past_due') {
    return `The last payment failed.${until} Next: homing plan payment-method`
  }
  if (subscription.followedBy !== null) return followedText(subscription.followedBy)
  if (status === 'canceled') {
    return `Your subscription is cancelled.${until}${subscription.canResume ? ' Keep it: homing plan resume' : ''}`
  }
  if (status === 'incomplete') return 'The first payment is not confirmed yet.'
  if (status !== 'active') {
    return `Your subscription has the state ${printable(status ?? 'unknown')}. Please contact support.`
  }
  const price = priceOf(subscription)
  const present = `You have ${choiceName({ plan, billing: interval })}`
  if (pendingChange !== null) {
    const later = [choiceName(pendingChange), ...(price === null ? [] : [price])].join(', ')
    return `${present}. From ${day(pendingChange.at)}: ${later}.`
  }
  const next =
    nextPaymentDue === null || price === null ? '' : `: ${price} on ${day(nextPaymentDue)}`
  return `${present}${next}.`
}

/** The facts of plan, subscription and limits. @param usage undefined if the plan has no web forwards */
export function planFacts(me: Me, subscription: Subscription, usage: Usage | undefined): Fact[] {
  const { pendingChange, followedBy } = subscription
  const next = pendingChange ?? followedBy
  return [
    ['plan', me.account_type],
    ['billing', subscription.interval],
    ['state', subscription.status],
    // With a planned change, the known price is that of the next plan.
    ['price', pendingChange === null ? priceOf(subscription) : null],
    ['next payment', subscription.nextPaymentDue],
    ['ends', subscription.endsAt],
    ['next plan', next === null ? null : `${next.plan} ${next.billing}`],
    ['next price', pendingChange === null ? null : priceOf(subscription)],
    ['pays by', subscription.paymentMethod ?? providerName(subscription.provider)],
    ['refundable until', subscription.refundableUntil],
    ['complimentary', subscription.complimentaryPlan],
    ['domains', `${me.limits.domain_count} of ${me.limits.domain_limit}`],
    [
      'stealth flags',
      usage === undefined ? null : `${usage.stealth_flags_used} of ${usage.max_stealth_flags}`,
    ],
    ['ttl', `${me.limits.ttl} s`],
  ]
}
