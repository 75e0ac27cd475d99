/**
 * What the service asks of a payment provider, and what it reads there.
 *
 * Stripe and PayPal implement `PaymentProvider`. Nothing else knows their words: what they answer is brought into the
 * facts below, in cents and UTC. A subscription's state always comes from such a read, never from an event or from a
 * client. Every call that changes something takes a `key`: the same key never does it twice, also when the first call
 * timed out after the provider had acted.
 */
import type {
  BillingCycle,
  PaidPlan,
  PaymentProvider as ProviderName,
} from '@homing/openapi/vocabulary'

export type { ProviderName }

/**
 * `incomplete`: the first payment is not confirmed. `running`: it is paid, or it waits for its first payment at
 * `startsAt`. `unpaid`: a renewal failed, and the provider may try again. `paused`: it exists and takes no payments
 * (PayPal's SUSPENDED, Stripe's `paused`). `ended`: final.
 */
export type Standing = 'incomplete' | 'running' | 'unpaid' | 'paused' | 'ended'

/** Money that went back to the payer. */
export interface ReadRefund {
  readonly id: string
  /** Positive. */
  readonly amountCents: number
  readonly at: Date
  /** Whether the provider has not refused it. A pending refund counts as succeeded. */
  readonly hasSucceeded: boolean
}

/** `reversed`: PayPal took the payment back without a dispute that can be won. In the books, it is a `dispute`. */
export interface ReadDispute {
  readonly id: string
  readonly status: 'open' | 'won' | 'lost' | 'reversed'
  /** Positive: what the provider holds back, without its fee. */
  readonly amountCents: number
  readonly openedAt: Date
  /** When it was won or lost; null: it is open. */
  readonly closedAt: Date | null
  /** Whether money was withdrawn. An inquiry withdraws none. */
  readonly isWithdrawn: boolean
  /** The money that came back, which can be later than the decision and less than what was withdrawn. Null: none. */
  readonly returned: { readonly amountCents: number; readonly at: Date } | null
}

export interface ReadLine {
  /** For people. */
  readonly description: string
  /** Tax included. Negative: a credit. */
  readonly amountCents: number
}

/** One invoice at the provider, with its payment. PayPal has none; a transaction of the subscription stands for it. */
export interface ReadInvoice {
  /** The invoice at Stripe, the transaction at PayPal. */
  readonly id: string
  /** `first`: it created the subscription. `change`: a proration. */
  readonly kind: 'first' | 'renewal' | 'change'
  readonly status: 'open' | 'paid' | 'void'
  /** Tax included. */
  readonly totalCents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly issuedAt: Date
  readonly paidAt: Date | null
  /** What it pays for; null where the provider does not say. */
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  readonly lines: readonly ReadLine[]
  /** The charge, payment intent or capture that `refund` takes; null: nothing was paid. */
  readonly paymentId: string | null
  /** What was received. Less than `totalCents` when the balance of the customer paid a part. */
  readonly paidCents: number
  readonly refunds: readonly ReadRefund[]
  readonly disputes: readonly ReadDispute[]
  /** Ids of the refunds and disputes that are only assumed, because the provider has no record of them, or no longer. */
  readonly assumedIds?: readonly string[]
  /**
   * Ids of refunds and disputes that earlier reads assumed, because the provider did not show what became of the payment.
   * What it shows now takes their place.
   */
  readonly replacedIds?: readonly string[]
  /** The page on which the owner can pay it. */
  readonly hostedUrl: string | null
}

/** What was read of one subscription. */
export interface ReadSubscription {
  readonly provider: ProviderName
  readonly providerId: string
  /** When the first request of the read was sent, by our clock: a read that began earlier never replaces a later one. */
  readonly readAt: Date
  readonly customerId: string | null
  /** Our id: `client_reference_id` or `metadata.checkout_id` at Stripe, `custom_id` at PayPal. */
  readonly checkoutId: string | null
  /** The price at Stripe, the plan at PayPal. Null: more than one, or none; it is never granted. */
  readonly priceProviderId: string | null
  /** The price that the provider itself begins with the next period, by a schedule or a revision. */
  readonly nextPriceProviderId: string | null
  readonly standing: Standing
  /** The provider's own word. */
  readonly providerStatus: string
  readonly startedAt: Date | null
  /** When the first payment is due, for a subscription that begins later. Null: it began at once. */
  readonly startsAt: Date | null
  /** The paid period. PayPal says the end only while it renews. */
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  /** When the provider ends it; null: it renews, or the provider cannot say. */
  readonly cancelAt: Date | null
  readonly endedAt: Date | null
  /** When the payment that is missing failed first; null: no payment is missing. */
  readonly firstFailedAt: Date | null
  /** The card's fingerprint or the payer's id: the money-back guarantee is once for each. Only its digest is stored. */
  readonly payer: string | null
  /** For people: `Visa ending in 4242`, `PayPal (a…@example.net)`. */
  readonly paymentMethod: string | null
  /** The end of the card's last month. */
  readonly cardExpiresAt: Date | null
  /** What the payer entered at the provider; null: nothing, or not all that an invoice needs. */
  readonly billingDetails: CheckoutPayer | null
  /** All of them, the oldest first. */
  readonly invoices: readonly ReadInvoice[]
}

/** What an event says to look at. It is read at the provider as well. */
export interface ReadHints {
  readonly disputeId?: string | undefined
  /** A payment was reversed: PayPal does not show it at the payment of a subscription. */
  readonly isReversed?: boolean
}

/** What was read of one checkout. */
export interface ReadCheckout {
  readonly state: 'open' | 'completed' | 'expired'
  /** Our id, as the provider keeps it. */
  readonly checkoutId: string | null
  readonly subscriptionId: string | null
}

/** A person's billing details, as in the contract. */
export interface CheckoutPayer {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly address: string
  readonly city: string
  readonly state: string
  readonly zipCode: string
  readonly country: string
}

export interface NewProviderCheckout {
  /** `checkouts.id`; also the idempotency key. */
  readonly checkoutId: string
  readonly priceProviderId: string
  readonly email: string
  /** The customer of an earlier subscription at this provider. */
  readonly customerId: string | null
  readonly payer: CheckoutPayer | null
  /** When the first payment is due; null: now. */
  readonly startsAt: Date | null
  readonly successUrl: URL
  readonly cancelUrl: URL
  readonly expiresAt: Date
}

export interface ProviderCheckout {
  /** The session at Stripe, the subscription at PayPal. */
  readonly providerId: string
  /** Where the browser goes. */
  readonly url: string
}

export interface PriceChange {
  readonly subscriptionId: string
  readonly priceProviderId: string
  /** `now`: the unused time is credited, and the price changes when the difference is paid. */
  readonly when: 'now' | 'period-end'
  /** Where the provider sends an owner who has confirmed on its page, or has not. */
  readonly pages?: { readonly success: URL; readonly cancel: URL }
}

export interface PriceChangePreview {
  readonly dueNowCents: number
  readonly creditCents: number
  readonly nextPaymentCents: number
  readonly nextPaymentAt: Date
  readonly currency: string
}

/** A page on which the owner confirms or pays. Null: it is done. */
export interface PriceChangeResult {
  readonly confirmUrl: string | null
}

export interface NewRefund {
  readonly paymentId: string
  readonly amountCents: number
  readonly currency: string
  /** A few words for the provider's records. No personal data. */
  readonly reason: string
}

/** An entry of the provider's books, to compare the ledger with. */
export interface ReadBookEntry {
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  /** As in `ReadInvoice.paymentId`, `ReadRefund.id` and `ReadDispute.id`. */
  readonly providerId: string
  /** Negative: paid back. */
  readonly amountCents: number
  readonly currency: string
  readonly happenedAt: Date
}

/** A verified event: only a hint to read its object. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly objectId: string | null
  /** `subscription`, `checkout`, `invoice`, `payment`, `refund`, `dispute`; null: nothing that is read. */
  readonly objectKind: ObjectKind | null
  readonly createdAt: Date
}

export type ObjectKind = 'subscription' | 'checkout' | 'invoice' | 'payment' | 'refund' | 'dispute'

/** A price of ours that must exist at the provider. */
export interface WantedPrice {
  /** `plan_prices.id`. */
  readonly id: string
  readonly plan: PaidPlan
  readonly billing: BillingCycle
  readonly amountCents: number
  readonly currency: string
  readonly version: number
}

export interface SetUpPrice {
  readonly id: string
  readonly providerId: string
  readonly productId: string
}

/** Headers in lower case, as Node.js has them. */
export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * One payment provider.
 *
 * Every call throws `ProviderTrouble` and no other error for what happens at or on the way to the provider. A call ends
 * within 20 s.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  /** A digest of the key's account and mode: prices of test and live are apart (`provider_prices.realm`). */
  readonly realm: string
  readonly isTest: boolean

  readonly createCheckout: (order: NewProviderCheckout) => Promise<ProviderCheckout>
  /** Undefined: it does not exist. */
  readonly readCheckout: (providerId: string) => Promise<ReadCheckout | undefined>
  /** Makes an open checkout useless. It does nothing if the checkout is no longer open. */
  readonly expireCheckout: (providerId: string, key: string) => Promise<void>

  /** Undefined: it does not exist. */
  readonly read: (
    subscriptionId: string,
    hints?: ReadHints,
  ) => Promise<ReadSubscription | undefined>
  /**
   * The subscription that the object of an event belongs to. Undefined: to none.
   *
   * @param paidBy the subscription of a payment that is in our books: a provider need not know it by itself
   */
  readonly subscriptionOf: (
    kind: ObjectKind,
    objectId: string,
    paidBy?: (paymentId: string) => Promise<string | undefined>,
  ) => Promise<string | undefined>

  /** Stops the renewal (PayPal: suspends). It does nothing if it is stopped already, or if the subscription ended. */
  readonly cancelAtPeriodEnd: (subscriptionId: string, key: string) => Promise<void>
  /** Lets it renew again. */
  readonly resume: (subscriptionId: string, key: string) => Promise<void>
  /** Ends it now, without a refund, and voids its open invoices. It does nothing if it ended. */
  readonly endNow: (subscriptionId: string, key: string) => Promise<void>

  readonly previewChange: (change: PriceChange) => Promise<PriceChangePreview>
  readonly changePrice: (change: PriceChange, key: string) => Promise<PriceChangeResult>
  /** Forgets a change that would begin with the next period. @param present the price that stays */
  readonly forgetChange: (
    present: Omit<PriceChange, 'when'>,
    key: string,
  ) => Promise<PriceChangeResult>

  /** The page on which the payment method is changed. */
  readonly paymentMethodPage: (
    subscription: { readonly providerId: string; readonly customerId: string | null },
    returnUrl: URL,
  ) => Promise<string>

  /** Repeated with the same key, it answers the same refund. */
  readonly refund: (refund: NewRefund, key: string) => Promise<ReadRefund>

  /** The provider's books from a time (inclusive) to another (exclusive). */
  readonly listPayments: (from: Date, to: Date) => Promise<readonly ReadBookEntry[]>

  /** @throws ForgedEvent for a body that the provider did not sign, or whose time is too old or in the future */
  readonly verifyEvent: (body: Buffer, headers: EventHeaders) => Promise<ProviderEvent>

  /** Finds or creates products and prices. @throws ProviderTrouble `refused` with the code `PRICE_DIFFERS` when a price there differs from ours */
  readonly setUpPrices: (prices: readonly WantedPrice[]) => Promise<readonly SetUpPrice[]>
}

/** The configured providers. */
export type PaymentProviders = Readonly<Partial<Record<ProviderName, PaymentProvider>>>

/**
 * `unavailable`: no answer before anything was sent, or the provider said that it did nothing (429, 5xx): try again.
 * `unknown`: the call may have been carried out: repeat it with the same key. `refused`: the provider will never do it.
 */
export type TroubleKind = 'unavailable' | 'unknown' | 'refused'

/** The code of a refusal because a price at the provider differs from ours. */
export const PRICE_DIFFERS = 'price-differs'

/** A call to a provider failed. Its message has no secret and no data of a payer. */
export class ProviderTrouble extends Error {
  readonly provider: ProviderName
  readonly kind: TroubleKind
  /** The provider's code, such as `card_declined`; null: it gave none. */
  readonly code: string | null

  constructor(
    provider: ProviderName,
    kind: TroubleKind,
    message: string,
    { code = null, cause }: { readonly code?: string | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderTrouble'
    this.provider = provider
    this.kind = kind
    this.code = code
  }
}

/** Who sent an event is not the provider, or the event is too old. The message says why, for the log. */
export class ForgedEvent extends Error {
  override readonly name = 'ForgedEvent'
}
