/**
 * Changes of a subscription at PayPal.
 *
 * PayPal ends a cancelled subscription at once and for good, so a stop of the renewal is a suspension, which can be taken
 * back; a job cancels when the paid period is over. A change with the next period is PayPal's revision, which the payer
 * approves and which is not prorated. A change at once is a new subscription.
 */
import {
  ProviderTrouble,
  type PriceChange,
  type PriceChangePreview,
  type PriceChangeResult,
} from '../provider.ts'
import { centsOf } from './paypal-amount.ts'
import { approvalContext } from './paypal-checkout.ts'
import type { PaypalCall } from './paypal-client.ts'
import {
  linkOf,
  type PaypalPlan,
  type PaypalStatus,
  type PaypalSubscription,
  pathId,
  subscriptionPath,
} from './paypal-objects.ts'
import { intervalOf } from './paypal-periods.ts'
import { readSubscription, STOP_NOTE } from './paypal-read.ts'
import { refused } from './paypal-trouble.ts'

const AT_ONCE = 'At PayPal, a change of the plan at once is a new checkout'

const isOver = (status: PaypalStatus) => status === 'CANCELLED' || status === 'EXPIRED'
/** Nobody pays for it before an approval, and PayPal cannot cancel it. */
const isUnapproved = (status: PaypalStatus) => status === 'APPROVAL_PENDING'

async function statusOf(call: PaypalCall, id: string): Promise<PaypalStatus | undefined> {
  return (await call.find<PaypalSubscription>(subscriptionPath(id)))?.status
}

interface Order {
  readonly verb: 'suspend' | 'activate' | 'cancel'
  readonly reason: string
  readonly key: string
  /** Whether nothing is left to do at this status. */
  readonly isDone: (status: PaypalStatus | undefined) => boolean
}

/** Looks at the status first, and again when PayPal refuses: somebody else can have done it meanwhile. */
async function order(
  call: PaypalCall,
  id: string,
  { verb, reason, key, isDone }: Order,
): Promise<void> {
  if (isDone(await statusOf(call, id))) return
  try {
    const path = `${subscriptionPath(id)}/${verb}`
    await call.send({ method: 'POST', path, body: { reason }, key })
  } catch (error) {
    const isRefused = error instanceof ProviderTrouble && error.kind === 'refused'
    if (!isRefused || !isDone(await statusOf(call, id))) throw error
  }
}

/** Suspends it. */
export async function cancelAtPeriodEnd(call: PaypalCall, id: string, key: string): Promise<void> {
  const isDone: Order['isDone'] = (status) =>
    status === undefined || status === 'SUSPENDED' || isUnapproved(status) || isOver(status)
  await order(call, id, { verb: 'suspend', reason: STOP_NOTE, key, isDone })
}

/** Activates a suspended one. */
export async function resume(call: PaypalCall, id: string, key: string): Promise<void> {
  const isDone: Order['isDone'] = (status) => {
    if (status === undefined || isOver(status)) {
      throw refused('The subscription was cancelled at PayPal and cannot be resumed')
    }
    return status === 'ACTIVE'
  }
  await order(call, id, { verb: 'activate', reason: 'The owner resumed the renewal.', key, isDone })
}

/** Cancels it for good. PayPal has no open invoices. */
export async function endNow(call: PaypalCall, id: string, key: string): Promise<void> {
  const isDone: Order['isDone'] = (status) =>
    status === undefined || isUnapproved(status) || isOver(status)
  await order(call, id, { verb: 'cancel', reason: 'The subscription ended.', key, isDone })
}

/** The price of a plan. @throws ProviderTrouble `refused` for a plan that is not one of ours */
function priceOf(plan: PaypalPlan | undefined) {
  const price = plan?.billing_cycles?.[0]?.pricing_scheme?.fixed_price
  if (price === undefined || intervalOf(plan) === undefined) {
    throw refused('The plan at PayPal does not have exactly one price')
  }
  return { cents: centsOf(price), currency: price.currency_code }
}

/**
 * What a change with the next period costs. A change at once is a new checkout, whose first payment is due when the unused
 * time of the old subscription is used up at the new price.
 *
 * @throws ProviderTrouble `refused` for a change at once
 */
export async function previewChange(
  call: PaypalCall,
  { subscriptionId, priceProviderId, when }: PriceChange,
  now: Date,
): Promise<PriceChangePreview> {
  if (when === 'now') throw refused(AT_ONCE)
  const [read, wanted] = await Promise.all([
    readSubscription(call, subscriptionId, now),
    call.find<PaypalPlan>(`/v1/billing/plans/${pathId(priceProviderId)}`),
  ])
  const price = priceOf(wanted)
  const paidUntil = read?.periodEnd ?? read?.invoices.at(-1)?.periodEnd ?? read?.startsAt
  if (paidUntil === null || paidUntil === undefined) {
    throw refused('Nothing is paid of the subscription that is to be changed')
  }
  return {
    dueNowCents: 0,
    creditCents: 0,
    nextPaymentCents: price.cents,
    nextPaymentAt: paidUntil,
    currency: price.currency,
  }
}

/** Revises the subscription: the next payment is of the new plan, once the payer has approved it. */
export async function changePrice(
  call: PaypalCall,
  { subscriptionId, priceProviderId, when, pages }: PriceChange,
  key: string,
): Promise<PriceChangeResult> {
  if (when === 'now') throw refused(AT_ONCE)
  const { links } = await call.send<PaypalSubscription>({
    method: 'POST',
    path: `${subscriptionPath(subscriptionId)}/revise`,
    key,
    body: {
      plan_id: priceProviderId,
      ...(pages !== undefined && {
        application_context: approvalContext(pages.success, pages.cancel),
      }),
    },
  })
  return { confirmUrl: linkOf(links, 'approve') ?? null }
}
