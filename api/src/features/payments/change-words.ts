/** What kind of change a change of plan is, and how people read it. */
import { type BillingCycle, PAID_PLANS, type PaidPlan } from '@homing/openapi/vocabulary'

interface Offer {
  readonly plan: PaidPlan
  readonly billing: BillingCycle
}

export type ChangeKind = 'upgrade' | 'downgrade' | 'cycle' | 'unchanged'

/** A larger plan, or annual payment, begins at once; a smaller plan, or monthly payment, with the next period. */
export function changeKind(
  from: Offer,
  to: Offer,
): { readonly kind: ChangeKind; readonly when: 'now' | 'period-end' } {
  const rank = PAID_PLANS.indexOf(to.plan) - PAID_PLANS.indexOf(from.plan)
  const isShorter = from.billing === 'annual' && to.billing === 'monthly'
  if (rank < 0) return { kind: 'downgrade', when: 'period-end' }
  if (rank > 0) return { kind: 'upgrade', when: isShorter ? 'period-end' : 'now' }
  if (from.billing === to.billing) return { kind: 'unchanged', when: 'now' }
  return { kind: 'cycle', when: isShorter ? 'period-end' : 'now' }
}

const NAMES: Readonly<Record<PaidPlan, string>> = { pro: 'Pro', elite: 'Elite' }

/** `Pro, annual`. */
export const planName = ({ plan, billing }: Offer): string => `${NAMES[plan]}, ${billing}`

export const changedNow = ({ plan }: Offer, kind: ChangeKind): string =>
  kind === 'cycle'
    ? `You pay for ${NAMES[plan]} by the year now.`
    : `Your plan is ${NAMES[plan]} now.`

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const changedThen = (to: Offer, at: Date | null): string =>
  at === null
    ? `Your plan changes to ${planName(to)} with the next period.`
    : `Your plan changes to ${planName(to)} on ${DATE.format(at)}.`

/** `$110.00`, from cents. */
export const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
