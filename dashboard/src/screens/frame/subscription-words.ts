/** Plans for sale, amounts and states of subscriptions in words. */
import { dayText, money } from '@homing/theme/formats'
import type { ChosenPlan } from '../../api/intended-plan.ts'
import type { OfferedPlan } from '../../api/plans.ts'
import type { BillingCycle, PaidPlan, Subscription } from '../../api/payments.ts'
import { PLAN_NAMES } from './plan-words.ts'

export const CYCLE_NAMES: Readonly<Record<BillingCycle, string>> = {
  monthly: 'Monthly',
  annual: 'Annual',
}
export const CYCLE_UNITS: Readonly<Record<BillingCycle, string>> = {
  monthly: 'month',
  annual: 'year',
}
const MONTHS: Readonly<Record<BillingCycle, number>> = { monthly: 1, annual: 12 }

export interface Price {
  readonly cents: number
  readonly currency: string
}

/** What a plan costs in a billing cycle; undefined if it is not sold so. */
export function priceOf(
  plans: readonly OfferedPlan[],
  plan: PaidPlan,
  billing: BillingCycle,
): Price | undefined {
  const offered = plans.find(({ id }) => id === plan)
  const cents = billing === 'monthly' ? offered?.price_month_cents : offered?.price_year_cents
  return offered === undefined || cents === undefined || cents === null || cents <= 0
    ? undefined
    : { cents, currency: offered.currency }
}

/** What a year costs less than twelve months, in cents. */
export function savingOf(plans: readonly OfferedPlan[], plan: PaidPlan): number {
  const [month, year] = [priceOf(plans, plan, 'monthly'), priceOf(plans, plan, 'annual')]
  if (month === undefined || year === undefined) return 0
  return Math.max(0, month.cents * MONTHS.annual - year.cents)
}

/** The pricing page with the plan and the cycle that were chosen. */
export const pricingPage = (chosen: ChosenPlan | undefined): string =>
  chosen === undefined ? '/pricing' : `/pricing?${new URLSearchParams({ ...chosen }).toString()}`

/** `$110/year`. */
export const priceText = ({ cents, currency }: Price, billing: BillingCycle): string =>
  `${money(cents, currency)}/${CYCLE_UNITS[billing]}`

/** `$110.00`: with cents, as on invoices. */
export function amountText(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

/** The end of a billing cycle that begins at `from`. The 31st becomes the last day of a shorter month. */
export function cycleEnd(from: Date, billing: BillingCycle): Date {
  const end = new Date(from)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + MONTHS[billing])
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return end
}

interface State {
  readonly label: string
  readonly tone: 'ok' | 'warn' | 'orange' | 'error'
}

const STATES: Readonly<Record<string, State>> = {
  active: { label: 'Active', tone: 'ok' },
  past_due: { label: 'Past due', tone: 'warn' },
  canceled: { label: 'Cancelled', tone: 'orange' },
}

/** An unknown state is shown as the provider calls it. */
export const stateOf = (status: string | null): State =>
  STATES[status ?? ''] ?? { label: status ?? 'unknown', tone: 'error' }

/** `Pro, monthly`. */
export const planText = ({ plan, interval }: Pick<Subscription, 'plan' | 'interval'>): string =>
  [
    plan === null ? 'Unknown plan' : PLAN_NAMES[plan],
    ...(interval === null ? [] : [CYCLE_NAMES[interval].toLowerCase()]),
  ].join(', ')

function amountOf({ amountCents, currency, paymentMethod }: Subscription): string {
  if (amountCents === null || currency === null) return ''
  const by = paymentMethod === null ? '' : ` by ${paymentMethod}`
  return `, ${amountText(amountCents, currency)}${by}`
}

/** The state of a subscription in a sentence: `Pro, monthly, renews on 12 May 2027, $10.00 by Visa ending in 4242.` */
export function stateSentence(subscription: Subscription): string {
  const { status, endsAt, nextPaymentDue, isInGracePeriod, pendingChange } = subscription
  const plan = planText(subscription)
  const until = endsAt === null ? undefined : dayText(endsAt)
  if (status === 'canceled') {
    return `${plan}, is cancelled${until === undefined ? '' : ` and ends on ${until}`}.`
  }
  if (isInGracePeriod === true) {
    return `${plan}: the last payment failed${until === undefined ? '' : `. The plan is kept until ${until}`}.`
  }
  if (status === 'active' && pendingChange !== null) {
    const { plan: next, billing, at } = pendingChange
    const changed = planText({ plan: next, interval: billing })
    return `${plan}, changes to ${changed}, on ${dayText(at)}${amountOf(subscription)}.`
  }
  if (status === 'active' && nextPaymentDue !== null) {
    return `${plan}, renews on ${dayText(nextPaymentDue)}${amountOf(subscription)}.`
  }
  return `${plan}.`
}
