/**
 * Checkouts at PayPal: a checkout is a subscription that waits for the approval of the payer. PayPal forgets it when
 * nobody approves it; it cannot be cancelled before.
 */
import type { NewProviderCheckout, ProviderCheckout, ReadCheckout } from '../provider.ts'
import type { PaypalCall } from './paypal-client.ts'
import { linkOf, type PaypalSubscription, subscriptionPath, timeOf } from './paypal-objects.ts'
import { refused } from './paypal-trouble.ts'

const BRAND = 'Homing'
/** PayPal refuses a start that is not in the future. One so near is now. */
const SOON_MS = 5 * 60_000
/** PayPal's limit for the parts of a name. */
const NAME_CHARACTERS = 140

function subscriberOf({ email, payer }: NewProviderCheckout) {
  const name = payer && {
    given_name: payer.firstName.slice(0, NAME_CHARACTERS),
    surname: payer.lastName.slice(0, NAME_CHARACTERS),
  }
  return { email_address: payer?.email ?? email, ...(name && { name }) }
}

/** How the page of an approval looks, and where it leads. */
export const approvalContext = (success: URL, cancel: URL) => ({
  brand_name: BRAND,
  shipping_preference: 'NO_SHIPPING',
  payment_method: {
    payer_selected: 'PAYPAL',
    payee_preferred: 'IMMEDIATE_PAYMENT_REQUIRED',
  },
  return_url: success.href,
  cancel_url: cancel.href,
})

/** Creates a subscription that the payer has to approve. PayPal adds `subscription_id` to the URL of the success. */
export async function createCheckout(
  call: PaypalCall,
  order: NewProviderCheckout,
  now: Date,
): Promise<ProviderCheckout> {
  const { checkoutId, priceProviderId, startsAt, successUrl, cancelUrl } = order
  const isLater = startsAt !== null && startsAt.getTime() - now.getTime() > SOON_MS
  const made = await call.send<PaypalSubscription>({
    method: 'POST',
    path: '/v1/billing/subscriptions',
    key: checkoutId,
    body: {
      plan_id: priceProviderId,
      custom_id: checkoutId,
      ...(isLater && { start_time: timeOf(startsAt) }),
      subscriber: subscriberOf(order),
      application_context: {
        ...approvalContext(successUrl, cancelUrl),
        user_action: 'SUBSCRIBE_NOW',
      },
    },
  })
  const url = linkOf(made?.links, 'approve')
  if (url === undefined) throw refused('PayPal gave no page for the approval')
  return { providerId: made.id, url }
}

/** Undefined: PayPal does not know it, or has forgotten it because nobody approved it. */
export async function readCheckout(
  call: PaypalCall,
  id: string,
): Promise<ReadCheckout | undefined> {
  const found = await call.find<PaypalSubscription>(subscriptionPath(id))
  if (found === undefined) return undefined
  const { status, custom_id: checkoutId = null, subscriber } = found
  if (status === 'APPROVAL_PENDING') return { state: 'open', checkoutId, subscriptionId: null }
  const isOver = status === 'CANCELLED' || status === 'EXPIRED'
  if (isOver && subscriber?.payer_id === undefined) {
    return { state: 'expired', checkoutId, subscriptionId: null }
  }
  const state = status === 'APPROVED' ? 'open' : 'completed'
  return { state, checkoutId, subscriptionId: found.id }
}
