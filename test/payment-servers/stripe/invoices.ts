/** Invoices: https://docs.stripe.com/api/invoices. */
import type { Invoice, InvoiceLine, Subscription } from './objects.ts'
import { paymentOf } from './payments.ts'
import { invalid } from './trouble.ts'
import type { StripeWorld } from './world.ts'

export interface InvoiceDraft {
  readonly reason: string
  readonly lines: readonly InvoiceLine[]
  /** In seconds; the period that the invoice looks back on. */
  readonly period?: { readonly start: number; readonly end: number }
}

/** Makes an invoice without keeping it, as previews do. */
export function buildInvoice(
  world: StripeWorld,
  subscription: Subscription,
  draft: InvoiceDraft,
): Invoice {
  const customer = world.need('customer', subscription.customer)
  const id = world.idFor('invoice')
  const now = world.clock.seconds()
  const total = draft.lines.reduce((sum, { amount }) => sum + amount, 0)
  const due = Math.max(0, total + customer.balance)
  const method = { default_mandate: null, payment_method_options: null, payment_method_types: null }
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Homing',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: draft.reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: draft.lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: method,
    period_end: draft.period?.end ?? now,
    period_start: draft.period?.start ?? now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  }
}

/** Keeps a draft invoice and sends its event. */
export function createInvoice(
  world: StripeWorld,
  subscription: Subscription,
  draft: InvoiceDraft,
): Invoice {
  const invoice = world.put('invoice', buildInvoice(world, subscription, draft))
  subscription.latest_invoice = invoice.id
  world.emit('invoice.created', invoice)
  return invoice
}

/** Opens a draft: it gets its number, its page and its payment, and uses the customer's balance. */
export function finalizeInvoice(world: StripeWorld, invoice: Invoice): void {
  if (invoice.status !== 'draft')
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.")
  const customer = world.need('customer', invoice.customer)
  const now = world.clock.seconds()
  invoice.starting_balance = customer.balance
  invoice.amount_due = Math.max(0, invoice.total + customer.balance)
  invoice.amount_remaining = invoice.amount_due
  customer.balance += invoice.total - invoice.amount_due
  invoice.ending_balance = customer.balance
  invoice.status = 'open'
  invoice.status_transitions.finalized_at = now
  invoice['effective_at'] = now
  invoice.number = world.nextInvoiceNumber()
  invoice.hosted_invoice_url = `${world.origin}/i/${invoice.id}`
  invoice.invoice_pdf = `${world.origin}/i/${invoice.id}/pdf`
  if (invoice.amount_due > 0) paymentOf(world, invoice)
  world.emit('invoice.finalized', invoice)
}

export function markPaid(world: StripeWorld, invoice: Invoice): void {
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  invoice.next_payment_attempt = null
  invoice.auto_advance = false
  invoice.status_transitions.paid_at = world.clock.seconds()
  world.emit('invoice.paid', invoice)
  world.emit('invoice.payment_succeeded', invoice)
}

/** @throws StripeTrouble unless the invoice is open or uncollectible. */
export function voidInvoice(world: StripeWorld, invoice: Invoice): Invoice {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(
      `You can only pass in open or uncollectible invoices. This invoice isn't open or uncollectible.`,
    )
  const { payment, intent } = paymentOf(world, invoice)
  const now = world.clock.seconds()
  invoice.status = 'void'
  invoice.status_transitions.voided_at = now
  invoice.next_payment_attempt = null
  invoice.auto_advance = false
  payment.status = 'canceled'
  payment.status_transitions.canceled_at = now
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: now,
    cancellation_reason: 'void_invoice',
  })
  world.emit('payment_intent.canceled', intent)
  world.emit('invoice.voided', invoice)
  return invoice
}

/** The subscription of an invoice. */
export const subscriptionIdOf = (invoice: Invoice): string =>
  invoice.parent.subscription_details.subscription
