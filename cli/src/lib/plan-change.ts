/** Changes of a plan: what is chosen, what would happen, and when it has happened. */
import type { components } from '@homing/openapi/client'
import { BILLING_CYCLES, PAID_PLANS } from '@homing/openapi/vocabulary'
import { usage } from './failure.ts'
import { amount } from './money.ts'
import { nearest } from './nearest.ts'
import type { Fact } from './output.ts'
import { type Choice, choiceName, day, type Subscription } from './plans.ts'
import { counted, printable } from './text.ts'

type Schemas = components['schemas']
type Preview = Schemas['PlanChangePreview']
type Plan = Schemas['Plan']

/** @throws CommandFailure for a plan that cannot be bought */
export function requirePlan(word: string): Choice['plan'] {
  const found = PAID_PLANS.find((plan) => plan === word)
  if (found !== undefined) return found
  if (word === 'free') throw usage('To return to the free plan, cancel: homing plan cancel')
  const near = nearest(word, PAID_PLANS)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  throw usage(
    `There is no plan "${printable(word)}" for sale.${meant} The plans are pro and elite.`,
  )
}

/** Without a flag, a subscription keeps its cycle, and a new one is paid monthly. */
export function billingOf(
  flags: { readonly monthly: boolean; readonly annual: boolean },
  present: Subscription['interval'],
): Choice['billing'] {
  const [named] = BILLING_CYCLES.filter((cycle) => flags[cycle])
  return named ?? present ?? 'monthly'
}

/** What the change does, before it is done. */
export function previewFacts(choice: Choice, preview: Preview): Fact[] {
  const { currency, takesEffect, takesEffectAt } = preview
  return [
    ['plan', choiceName(choice)],
    ['takes effect', takesEffect === 'now' ? 'now' : takesEffectAt],
    ['credit', amount(preview.creditCents, currency)],
    ['due now', amount(preview.dueNowCents, currency)],
    ['next payment', amount(preview.nextPaymentCents, currency)],
    ['next payment on', preview.nextPaymentAt],
    ['domains withheld', preview.withheldDomains],
    ['needs approval', preview.needsApproval ? 'yes' : 'no'],
  ]
}

/** The question before a change, with what it costs and takes away. */
export function changeQuestion(choice: Choice, preview: Preview): string {
  const { currency, dueNowCents, takesEffect, takesEffectAt, withheldDomains } = preview
  const when = takesEffect === 'now' ? 'now' : `on ${day(takesEffectAt)}`
  const price = dueNowCents > 0 ? ` You pay ${amount(dueNowCents, currency)} now.` : ''
  const withheld =
    withheldDomains === 0
      ? ''
      : ` DNS stops serving ${counted(withheldDomains, 'domain')}. None is deleted.`
  return `Change to ${choiceName(choice)}, ${when}?${price}${withheld}`
}

/**
 * Facts of a subscription that begins with a checkout.
 *
 * @param offered undefined: the service does not say the price
 * @param begins when the present subscription ends, which it follows; null: it begins at once
 */
export function checkoutFacts(
  { plan, billing }: Choice,
  offered: Plan | undefined,
  begins: string | null,
): Fact[] {
  const cents =
    (billing === 'annual' ? offered?.price_year_cents : offered?.price_month_cents) ?? null
  return [
    ['plan', choiceName({ plan, billing })],
    ['price', offered === undefined || cents === null ? null : amount(cents, offered.currency)],
    ['paid', billing === 'annual' ? 'per year' : 'per month'],
    ['begins', begins ?? 'when it is paid'],
  ]
}

/** What happens after a checkout was begun. @param begins as for `checkoutFacts` */
export const buyMessage = (begins: string | null): string =>
  begins === null
    ? 'Pay in your browser. The plan begins when the payment is confirmed.'
    : `Confirm in your browser. The first payment is due on ${day(begins)}, when your present subscription ends.`

/** Whether the subscription has the plan now, or will have it with the next period. */
export function hasChosen(subscription: Subscription, { plan, billing }: Choice): boolean {
  const { pendingChange, status } = subscription
  const isLater = pendingChange?.plan === plan && pendingChange.billing === billing
  const isNow =
    status === 'active' && subscription.plan === plan && subscription.interval === billing
  return isLater || (isNow && pendingChange === null)
}
