/**
 * Payment intents and charges of invoices: https://docs.stripe.com/api/payment_intents,
 * https://docs.stripe.com/api/charges. Since 2025-03-31 neither names its invoice: `invoice_payment` connects them.
 */
import type { Charge, Invoice, InvoicePayment, PaymentIntent, StripeObject } from './objects.ts'
import type { StripeWorld } from './world.ts'

export type Outcome = 'paid' | 'failed' | 'action'

/** Cents that Stripe keeps: 2.9 % and 30 cents. */
const feeOf = (amount: number) => Math.round(amount * 0.029) + 30

export interface Movement {
  readonly type: 'charge' | 'refund' | 'adjustment'
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  readonly amount: number
  readonly currency: string
  readonly source: string
  readonly fee?: number
}

/** Writes a balance transaction into the books. */
export function bookMovement(world: StripeWorld, movement: Movement): StripeObject {
  const { type, kind, amount, currency, source, fee = 0 } = movement
  const now = world.clock.seconds()
  const transaction = world.put('balance_transaction', {
    id: world.idFor('balance_transaction'),
    object: 'balance_transaction',
    amount,
    available_on: now + 2 * 86_400,
    balance_type: 'payments',
    created: now,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category:
      kind === 'dispute_won' ? 'dispute_reversal' : kind === 'payment' ? 'charge' : kind,
    source,
    status: 'pending',
    type,
  })
  world.books.add({
    id: transaction.id,
    kind,
    amountCents: amount,
    feeCents: fee,
    currency,
    source,
    at: world.clock.now(),
  })
  return transaction
}

function createIntent(world: StripeWorld, invoice: Invoice): PaymentIntent {
  const id = world.idFor('payment_intent')
  const intent = world.put('payment_intent', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${world.newId('k').slice(-12)}`,
    confirmation_method: 'automatic',
    created: world.clock.seconds(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create'
        ? 'Subscription creation'
        : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  })
  world.emit('payment_intent.created', intent)
  return intent
}

/** The payment of an invoice, with its intent; made when the invoice is finalized. */
export function paymentOf(
  world: StripeWorld,
  invoice: Invoice,
): { payment: InvoicePayment; intent: PaymentIntent } {
  const [found] = world.of('invoice_payment', invoice.id)
  if (found)
    return { payment: found, intent: world.need('payment_intent', found.payment.payment_intent) }
  const intent = createIntent(world, invoice)
  const payment = world.put('invoice_payment', {
    id: world.idFor('invoice_payment'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: world.clock.seconds(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
  return { payment, intent }
}

function createCharge(
  world: StripeWorld,
  intent: PaymentIntent,
  methodId: string,
  paid: boolean,
): Charge {
  const method = world.need('payment_method', methodId)
  const id = world.idFor('charge')
  const { card } = method
  return world.put('charge', {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method['billing_details'],
    calculated_statement_descriptor: 'HOMING',
    captured: paid,
    created: world.clock.seconds(),
    currency: intent['currency'] as string,
    customer: intent.customer,
    description: intent['description'],
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : 'card_declined',
    failure_message: paid ? null : 'Your card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: paid
      ? {
          advice_code: null,
          network_advice_code: null,
          network_decline_code: null,
          network_status: 'approved_by_network',
          reason: null,
          risk_level: 'normal',
          seller_message: 'Payment complete.',
          type: 'authorized',
        }
      : {
          advice_code: 'try_again_later',
          network_advice_code: null,
          network_decline_code: '01',
          network_status: 'declined_by_network',
          reason: 'generic_decline',
          risk_level: 'normal',
          seller_message: 'The bank did not return any further details with this decline.',
          type: 'issuer_declined',
        },
    paid,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: {
      card: {
        brand: card.brand,
        checks: card['checks'],
        country: card['country'],
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: card.fingerprint,
        funding: card['funding'],
        last4: card.last4,
        mandate: null,
        network: card.brand,
        three_d_secure: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: paid ? `${world.origin}/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  })
}

function succeed(world: StripeWorld, intent: PaymentIntent, methodId: string): void {
  const charge = createCharge(world, intent, methodId, true)
  charge.balance_transaction = bookMovement(world, {
    type: 'charge',
    kind: 'payment',
    amount: charge.amount,
    currency: charge.currency,
    source: charge.id,
    fee: feeOf(charge.amount),
  }).id
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: methodId,
    last_payment_error: null,
    next_action: null,
  })
  world.emit('charge.succeeded', charge)
  world.emit('payment_intent.succeeded', intent)
}

function decline(world: StripeWorld, intent: PaymentIntent, methodId: string): void {
  const charge = createCharge(world, intent, methodId, false)
  const error = {
    advice_code: 'try_again_later',
    charge: charge.id,
    code: 'card_declined',
    decline_code: 'generic_decline',
    doc_url: 'https://docs.stripe.com/error-codes/card-declined',
    message: 'Your card was declined.',
    payment_method: structuredClone(world.need('payment_method', methodId)),
    type: 'card_error',
  }
  Object.assign(intent, {
    status: 'requires_payment_method',
    latest_charge: charge.id,
    payment_method: null,
    last_payment_error: error,
    next_action: null,
  })
  world.emit('charge.failed', charge)
  world.emit('payment_intent.payment_failed', intent)
}

function ask(world: StripeWorld, intent: PaymentIntent, invoice: Invoice, methodId: string): void {
  const next = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: `${invoice.hosted_invoice_url}` },
  }
  Object.assign(intent, { status: 'requires_action', payment_method: methodId, next_action: next })
  world.emit('payment_intent.requires_action', intent)
}

export interface Attempt {
  readonly methodId: string | null
  /** The customer is there and can authenticate; false for a renewal. */
  readonly asksCustomer: boolean
  /** The customer has just authenticated. */
  readonly authenticated?: boolean
}

/** Tries to pay an open invoice with a card. Invoice and subscription are the caller's. */
export function tryPayment(world: StripeWorld, invoice: Invoice, attempt: Attempt): Outcome {
  const { payment, intent } = paymentOf(world, invoice)
  const { methodId } = attempt
  const conduct = methodId === null ? 'declines' : (world.cards.get(methodId) ?? 'pays')
  if (methodId === null) {
    intent.status = 'requires_payment_method'
    return 'failed'
  }
  if (conduct === 'declines') {
    decline(world, intent, methodId)
    return 'failed'
  }
  if (conduct === 'authenticates' && attempt.asksCustomer && attempt.authenticated !== true) {
    ask(world, intent, invoice, methodId)
    return 'action'
  }
  succeed(world, intent, methodId)
  Object.assign(payment, { amount_paid: intent.amount, status: 'paid' })
  payment.status_transitions.paid_at = world.clock.seconds()
  return 'paid'
}
