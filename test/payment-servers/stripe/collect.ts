/** Pays invoices and lets the subscription follow: active, past due, pending update, retries. */
import { finalizeInvoice, markPaid, subscriptionIdOf, voidInvoice } from './invoices.ts'
import type { Invoice, Subscription } from './objects.ts'
import { type Outcome, tryPayment } from './payments.ts'
import type { StripeWorld } from './world.ts'

const DAY = 86_400

/** The card that pays for a subscription. */
export function cardFor(world: StripeWorld, subscription: Subscription): string | null {
  const customer = world.find('customer', subscription.customer)
  return (
    subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null
  )
}

/** Ends a subscription now. Its open invoices stay, but nobody collects them. */
export function endSubscription(
  world: StripeWorld,
  subscription: Subscription,
  reason: string,
): void {
  const now = world.clock.seconds()
  subscription.status = 'canceled'
  subscription.ended_at = now
  subscription.canceled_at ??= now
  subscription.cancellation_details.reason ??= reason
  subscription.pending_update = null
  for (const invoice of openInvoices(world, subscription)) {
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
  }
  const schedule =
    subscription.schedule === null
      ? undefined
      : world.find('subscription_schedule', subscription.schedule)
  if (schedule !== undefined)
    Object.assign(schedule, { status: 'canceled', canceled_at: now, current_phase: null })
  world.emit('customer.subscription.deleted', subscription)
}

function openInvoices(world: StripeWorld, subscription: Subscription): Invoice[] {
  return world.of('invoice', subscription.id).filter(({ status }) => status === 'open')
}

function setStatus(world: StripeWorld, subscription: Subscription, status: string): void {
  const before = subscription.status
  if (before === status) return
  subscription.status = status
  world.emit('customer.subscription.updated', subscription, { status: before })
}

function applyPendingUpdate(
  world: StripeWorld,
  subscription: Subscription,
  invoice: Invoice,
): void {
  const pending = subscription.pending_update
  if (pending === null || subscription.latest_invoice !== invoice.id) return
  if (pending.subscription_items !== null) subscription.items.data = pending.subscription_items
  subscription.pending_update = null
  world.emit('customer.subscription.pending_update_applied', subscription)
  world.emit('customer.subscription.updated', subscription, { pending_update: pending })
}

function settleSubscription(world: StripeWorld, invoice: Invoice): void {
  const subscription = world.need('subscription', subscriptionIdOf(invoice))
  applyPendingUpdate(world, subscription, invoice)
  const isLate = ['past_due', 'unpaid', 'incomplete'].includes(subscription.status)
  const stillOwes = openInvoices(world, subscription).some(
    ({ billing_reason: reason }) => reason !== 'subscription_update',
  )
  if (isLate && !stillOwes) setStatus(world, subscription, 'active')
}

/** What the last retry leaves, by the account's setting. */
function giveUp(world: StripeWorld, subscription: Subscription): void {
  const { afterRetries } = world.settings
  if (afterRetries === 'cancel') endSubscription(world, subscription, 'payment_failed')
  if (afterRetries === 'unpaid') setStatus(world, subscription, 'unpaid')
}

function planRetry(world: StripeWorld, invoice: Invoice): void {
  const finalized = invoice.status_transitions.finalized_at ?? world.clock.seconds()
  const days = world.settings.retryDays[invoice.attempt_count - 1]
  invoice.next_payment_attempt = days === undefined ? null : finalized + Math.round(days * DAY)
  if (invoice.next_payment_attempt === null) return
  world.clock.at(invoice.next_payment_attempt * 1000, () => {
    if (invoice.status !== 'open' || !invoice.auto_advance) return
    collect(world, invoice, { asksCustomer: false })
  })
}

function failed(world: StripeWorld, invoice: Invoice, outcome: Outcome): void {
  const subscription = world.need('subscription', subscriptionIdOf(invoice))
  invoice.attempt_count += 1
  invoice.attempted = true
  const retries = invoice.billing_reason === 'subscription_cycle'
  if (retries) planRetry(world, invoice)
  if (outcome === 'action') world.emit('invoice.payment_action_required', invoice)
  world.emit('invoice.payment_failed', invoice)
  if (!retries || subscription.status === 'canceled') return
  setStatus(world, subscription, 'past_due')
  if (invoice.next_payment_attempt === null) giveUp(world, subscription)
}

export interface Collecting {
  readonly asksCustomer: boolean
  readonly authenticated?: boolean
  readonly methodId?: string
}

/** Tries to pay an invoice, which is finalized first, and brings the subscription up to date. */
export function collect(world: StripeWorld, invoice: Invoice, how: Collecting): Outcome {
  if (invoice.status === 'draft') finalizeInvoice(world, invoice)
  const subscription = world.need('subscription', subscriptionIdOf(invoice))
  const methodId = how.methodId ?? cardFor(world, subscription)
  const outcome =
    invoice.amount_due === 0 ? 'paid' : tryPayment(world, invoice, { ...how, methodId })
  if (outcome === 'paid') {
    if (invoice.amount_due > 0) invoice.attempt_count += 1
    markPaid(world, invoice)
    settleSubscription(world, invoice)
  } else failed(world, invoice, outcome)
  return outcome
}

/** Discards an update that was not paid for: its invoice becomes void. */
export function expirePendingUpdate(world: StripeWorld, subscription: Subscription): void {
  if (subscription.pending_update === null) return
  const invoice = world.find('invoice', subscription.latest_invoice ?? '')
  subscription.pending_update = null
  if (invoice?.status === 'open') voidInvoice(world, invoice)
  world.emit('customer.subscription.pending_update_expired', subscription)
}
