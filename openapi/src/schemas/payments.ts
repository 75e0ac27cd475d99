import { Type, type Static } from 'typebox'
import {
  BILLING_CYCLES,
  type BillingCycle,
  BILLING_TEXT_LIMIT,
  INVOICE_KINDS,
  INVOICE_STATES,
  PAID_PLANS,
  type PaidPlan,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
} from '../vocabulary.ts'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { billing, cents, currency, plan, provider } from './payment-parts.ts'
import { PaymentMethods } from './system.ts'

const orNull = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ enum: [...values, null], description })

const billingText = (description: string, example: string) =>
  Type.String({ maxLength: BILLING_TEXT_LIMIT, description, examples: [example] })

export const BillingDetails = record(
  'BillingDetails',
  {
    firstName: billingText('The first name of the payer.', 'Ada'),
    lastName: billingText('The last name of the payer.', 'Lovelace'),
    email: billingText('The email address for receipts.', 'ada@example.net'),
    address: billingText('Street and number.', '12 Example Street'),
    city: billingText('The city.', 'Springfield'),
    state: billingText('The state or region. Empty where addresses do not use one.', 'IL'),
    zipCode: billingText('The postal code. Empty where addresses do not use one.', '62701'),
    country: Type.String({
      minLength: 2,
      maxLength: 2,
      description: 'The country (ISO 3166-1 alpha-2).',
      examples: ['US'],
    }),
  },
  'The billing address of invoices.',
)
export type BillingDetails = Static<typeof BillingDetails>

/** Sent by the specification's clients: compared with what the service knows, and never trusted. */
const echoed = {
  userId: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Integer()])),
  customerEmail: Type.Optional(Type.String({ maxLength: 320 })),
  priceId: Type.Optional(Type.String({ maxLength: 64 })),
  planId: Type.Optional(Type.String({ maxLength: 64 })),
}

export const NewCheckout = record(
  'NewCheckout',
  {
    plan,
    billing,
    provider: Type.Optional(provider),
    billingDetails: Type.Optional(ref(BillingDetails)),
    ...echoed,
  },
  'Without `provider`, the payment is by card. `userId`, `customerEmail`, `priceId` and `planId` are accepted if they match the account and the plan.',
)
export type NewCheckout = Static<typeof NewCheckout>

export const NewSimpleCheckout = record('NewSimpleCheckout', { plan, billing })
export type NewSimpleCheckout = Static<typeof NewSimpleCheckout>

export const Checkout = record(
  'Checkout',
  {
    checkoutUrl: Type.Optional(
      Type.String({ description: 'The page of the card provider, to which the browser goes.' }),
    ),
    approvalUrl: Type.Optional(
      Type.String({ description: 'The page of PayPal, to which the browser goes.' }),
    ),
  },
  'Where the payment continues.',
)
export type Checkout = Static<typeof Checkout>

export const CheckoutUrl = record('CheckoutUrl', {
  checkoutUrl: Type.String({ description: 'The page to which the browser goes.' }),
})
export type CheckoutUrl = Static<typeof CheckoutUrl>

export const SubscriptionStatus = record(
  'SubscriptionStatus',
  {
    hasSubscription: Type.Boolean({
      description: 'Whether the account has a subscription that has not ended.',
    }),
    plan: orNull<PaidPlan>(PAID_PLANS, 'The plan of the subscription.'),
    interval: orNull<BillingCycle>(BILLING_CYCLES, 'The billing cycle.'),
    status: nullable(
      Type.String({
        description:
          '`active`, `past_due` or `canceled`; another value is a state that needs attention, such as `incomplete` and `disputed`.',
      }),
    ),
    endsAt: nullable({ ...Time, description: 'When the plan ends. Null: it renews.' }),
    nextPaymentDue: nullable({ ...Time, description: 'When the next payment is due.' }),
    isInGracePeriod: nullable(
      Type.Boolean({ description: 'Whether a payment failed and the plan is kept for now.' }),
    ),
  },
  'The subscription of the account. All fields are null but the first if there is no subscription.',
)
export type SubscriptionStatus = Static<typeof SubscriptionStatus>

const pendingChange = Type.Object({ plan, billing, at: Time })
const successor = Type.Object({
  provider: Type.Unsafe<PaymentProvider>({ type: 'string', enum: [...PAYMENT_PROVIDERS] }),
  plan,
  billing,
  at: Time,
})

export const Subscription = record(
  'Subscription',
  {
    ...SubscriptionStatus.properties,
    provider: orNull<PaymentProvider>(PAYMENT_PROVIDERS, 'The payment provider.'),
    amountCents: nullable(cents('The amount of the next payment, tax included.')),
    currency: nullable(currency),
    paymentMethod: nullable(
      Type.String({
        description: 'The payment method, for people.',
        examples: ['Visa ending in 4242'],
      }),
    ),
    startedAt: nullable(Time),
    pendingChange: Type.Unsafe<Static<typeof pendingChange> | null>({
      anyOf: [pendingChange, { type: 'null' }],
      description: 'The plan that begins with the next period.',
    }),
    followedBy: Type.Unsafe<Static<typeof successor> | null>({
      anyOf: [successor, { type: 'null' }],
      description:
        'The subscription that the owner has approved at another provider. It begins when this one ends, with its first payment.',
    }),
    canResume: Type.Boolean({
      description:
        'Whether `POST /api/payments/resume-subscription` can undo the cancellation. A cancellation at PayPal is final.',
    }),
    refundableUntil: nullable({
      ...Time,
      description:
        'Until when `POST /api/payments/refund` refunds the first payment. Null: it does not.',
    }),
    canUse: ref(PaymentMethods),
    billingDetails: Type.Unsafe<BillingDetails | null>({
      anyOf: [{ $ref: 'BillingDetails#' }, { type: 'null' }],
      description: 'The billing details of the last checkout.',
    }),
    complimentaryPlan: orNull<PaidPlan>(
      PAID_PLANS,
      'A plan that an administrator gave the account, beside the subscription.',
    ),
  },
  'The subscription with everything that its owner manages.',
)
export type Subscription = Static<typeof Subscription>

export const PaymentMessage = record('PaymentMessage', {
  message: Type.String({ description: 'What happened, for people.' }),
  status: ref(SubscriptionStatus),
})
export type PaymentMessage = Static<typeof PaymentMessage>

export const PlanChange = record('PlanChange', { plan, billing })
export type PlanChange = Static<typeof PlanChange>

export const PlanChangePreview = record(
  'PlanChangePreview',
  {
    kind: Type.Enum(['upgrade', 'downgrade', 'cycle', 'unchanged']),
    takesEffect: Type.Enum(['now', 'period-end'], { description: 'When the plan changes.' }),
    takesEffectAt: Time,
    dueNowCents: cents('The amount that is charged now, after the credit for unused time.'),
    creditCents: cents('The credit for the unused time of the present plan.'),
    nextPaymentCents: cents('The amount of the next payment.'),
    nextPaymentAt: Time,
    currency,
    withheldDomains: Type.Integer({
      description: 'The number of domains that DNS would stop serving. They are not deleted.',
    }),
    needsApproval: Type.Boolean({
      description: 'Whether the change needs your approval at the payment provider.',
    }),
  },
  'The effects of a change of plan.',
)
export type PlanChangePreview = Static<typeof PlanChangePreview>

export const PlanChangeResult = record(
  'PlanChangeResult',
  {
    message: Type.String(),
    checkoutUrl: nullable(
      Type.String({ description: 'Where you confirm or pay the change. Null: it is done.' }),
    ),
    status: ref(SubscriptionStatus),
  },
  'The result of a change of plan.',
)
export type PlanChangeResult = Static<typeof PlanChangeResult>

export const InvoiceLine = record('InvoiceLine', {
  description: Type.String(),
  amountCents: cents('The amount, tax included.'),
})

export const Invoice = record(
  'Invoice',
  {
    id: Id,
    number: Type.String({ examples: ['H-2026-000123'] }),
    kind: Type.Enum([...INVOICE_KINDS]),
    status: Type.Enum([...INVOICE_STATES]),
    provider,
    issuedAt: Time,
    paidAt: nullable(Time),
    totalCents: cents('The total, tax included. Negative for a credit note.'),
    taxCents: cents('The tax in it.'),
    taxRate: Type.Number({ description: 'The tax rate in percent.' }),
    currency,
    lines: Type.Array(ref(InvoiceLine)),
    party: ref(BillingDetails),
    correctsNumber: nullable(
      Type.String({ description: 'The invoice that a credit note corrects.' }),
    ),
  },
  'An invoice or a credit note, with everything that is printed on it.',
)
export type Invoice = Static<typeof Invoice>

export const RefundResult = record('RefundResult', {
  message: Type.String(),
  amountCents: cents('The amount that is refunded.'),
  currency,
})
export type RefundResult = Static<typeof RefundResult>
