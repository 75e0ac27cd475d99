/** Sessions of the customer portal: https://docs.stripe.com/api/customer_portal/sessions. */
import { CARDS, attachCard } from './customers.ts'
import type { Params } from './form.ts'
import type { PortalSession, Subscription } from './objects.ts'
import { group, onlyParams, oneOf, requiredText, text } from './params.ts'
import { updateSubscription } from './subscription-change.ts'
import type { StripeWorld } from './world.ts'

const FLOWS = [
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
  'subscription_update_confirm',
  'subscription_pause',
] as const

export function createPortalSession(world: StripeWorld, params: Params): PortalSession {
  onlyParams(params, [
    'configuration',
    'customer',
    'flow_data',
    'locale',
    'on_behalf_of',
    'return_url',
  ])
  const customer = world.need('customer', requiredText(params, 'customer'), 'customer')
  const flow = group(params, 'flow_data')
  const after = flow === undefined ? undefined : group(flow, 'after_completion')
  const completion = {
    hosted_confirmation: null,
    redirect: null,
    type: text(after ?? {}, 'type') ?? 'portal_homepage',
  }
  const id = world.idFor('billing_portal.session')
  return world.put('billing_portal.session', {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_homing',
    created: world.clock.seconds(),
    customer: customer.id,
    customer_account: null,
    flow:
      flow === undefined
        ? null
        : {
            after_completion: completion,
            subscription_cancel: null,
            subscription_update: null,
            subscription_update_confirm: null,
            type: oneOf(flow, 'type', FLOWS),
          },
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: text(params, 'return_url') ?? null,
    url: `${world.origin}/p/session/${id}`,
  })
}

/** Subscriptions that the portal shows. */
export function livingSubscriptions(world: StripeWorld, customer: string): Subscription[] {
  return world
    .of('subscription', customer)
    .filter(({ status }) => !['canceled', 'incomplete_expired'].includes(status))
}

/** Saves another card and uses it from now on for everything that the customer pays. */
export function changeCard(world: StripeWorld, customerId: string, kind: keyof typeof CARDS): void {
  const customer = world.need('customer', customerId)
  const method = attachCard(world, customer, CARDS[kind](world))
  customer.invoice_settings.default_payment_method = method.id
  world.emit('customer.updated', customer)
  for (const subscription of livingSubscriptions(world, customerId)) {
    const before = subscription.default_payment_method
    subscription.default_payment_method = method.id
    world.emit('customer.subscription.updated', subscription, { default_payment_method: before })
  }
}

/** Cancels at the end of the period, or takes that back. */
export function setCancel(world: StripeWorld, customerId: string, cancels: boolean): void {
  for (const subscription of livingSubscriptions(world, customerId))
    updateSubscription(world, subscription, { cancel_at_period_end: String(cancels) })
}
