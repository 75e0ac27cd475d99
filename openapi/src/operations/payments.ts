/** Payments: checkout, the subscription of an account and its invoices, and the providers' webhooks. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import {
  Checkout,
  CheckoutUrl,
  Invoice,
  NewCheckout,
  NewSimpleCheckout,
  PaymentMessage,
  PlanChange,
  PlanChangePreview,
  PlanChangeResult,
  RefundResult,
  Subscription,
  SubscriptionStatus,
} from '../schemas/payments.ts'
import { BILLING_CYCLES, PAID_PLANS, REFUND_HOURS } from '../vocabulary.ts'

const WEBHOOK_LIMIT_BYTES = 1024 * 1024

const billingDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62701',
  country: 'US',
}
const status: SubscriptionStatus = {
  hasSubscription: true,
  plan: 'pro',
  interval: 'annual',
  status: 'active',
  endsAt: null,
  nextPaymentDue: '2027-05-12T08:30:00.000Z',
  isInGracePeriod: false,
}
const subscription: Subscription = {
  ...status,
  provider: 'stripe',
  amountCents: 11_000,
  currency: 'USD',
  paymentMethod: 'Visa ending in 4242',
  startedAt: '2026-05-12T08:30:00.000Z',
  pendingChange: null,
  followedBy: null,
  canResume: false,
  refundableUntil: '2026-05-19T08:30:00.000Z',
  canUse: { card: true, paypal: true },
  billingDetails,
  complimentaryPlan: null,
}
const canceled: SubscriptionStatus = {
  ...status,
  status: 'canceled',
  endsAt: '2027-05-12T08:30:00.000Z',
  nextPaymentDue: null,
}
const invoice: Invoice = {
  id: '17',
  number: 'H-2026-000123',
  kind: 'invoice',
  status: 'paid',
  provider: 'stripe',
  issuedAt: '2026-05-12T08:30:00.000Z',
  paidAt: '2026-05-12T08:30:00.000Z',
  totalCents: 11_000,
  taxCents: 0,
  taxRate: 0,
  currency: 'USD',
  lines: [{ description: 'Pro, annual, 12 May 2026 to 12 May 2027', amountCents: 11_000 }],
  party: billingDetails,
  correctsNumber: null,
}

const CHECKOUT =
  'An account has one subscription: a call while it has one fails with `subscription-exists`. Administrators and disabled accounts cannot check out: `conflict`. Without keys of the provider: `payments-unavailable`. If the provider does not answer: `provider-unavailable`.'
const trouble = ['payments-unavailable', 'provider-unavailable'] as const

const cancellation = {
  access: 'session',
  success: {
    status: 200,
    description: 'The subscription ends with the paid period.',
    schema: ref(PaymentMessage),
    example: {
      message:
        'Your subscription has been cancelled. You will retain access until the end of your billing period.',
      status: canceled,
    },
  },
  problems: ['no-subscription', 'conflict', ...trouble],
} as const
const CANCELLATION =
  'The plan is kept until `endsAt`, and the subscription can be resumed until then. If the provider does not answer, the call fails with `provider-unavailable`; the request is saved, and a job repeats it until the provider confirms it. A second call changes nothing.'

const toProvider = {
  access: 'session',
  success: {
    status: 200,
    description: 'The page of the provider, to which the browser goes.',
    schema: ref(CheckoutUrl),
    example: { checkoutUrl: 'https://billing.stripe.com/p/session/test_1' },
  },
  problems: ['no-subscription', ...trouble],
} as const

const webhook = {
  method: 'POST',
  access: 'public',
  anyHost: true,
  openQuery: true,
  rawBody: true,
  bodyLimitBytes: WEBHOOK_LIMIT_BYTES,
  success: { status: 204, description: 'The event is stored, or was stored before.' },
  problems: ['webhook-refused'],
} as const

export const payments = {
  createCheckoutSession: {
    method: 'POST',
    url: '/api/payments/create-checkout-session',
    summary: 'Begin a payment',
    description: `Answers \`checkoutUrl\` for a card and \`approvalUrl\` for PayPal. The plan begins when the provider confirms the payment. ${CHECKOUT}`,
    access: 'session',
    idempotencyKey: 'replayed',
    body: ref(NewCheckout),
    bodyExample: {
      plan: 'pro',
      billing: 'annual',
      provider: 'stripe',
      priceId: 'price_pro_annual',
      customerEmail: 'ada@example.net',
      billingDetails,
      userId: '7',
    },
    success: {
      status: 200,
      description: 'Where the payment continues.',
      schema: ref(Checkout),
      example: { checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_1' },
    },
    problems: ['subscription-exists', 'conflict', ...trouble],
  },
  createSimpleCheckoutSession: {
    method: 'POST',
    url: '/api/create-checkout-session',
    summary: 'Begin a payment by card',
    description: `As \`POST /api/payments/create-checkout-session\` by card, without billing details: the provider asks for them. ${CHECKOUT}`,
    access: 'session',
    idempotencyKey: 'replayed',
    body: ref(NewSimpleCheckout),
    bodyExample: { plan: 'pro', billing: 'annual' },
    success: {
      status: 200,
      description: 'Where the payment continues.',
      schema: ref(CheckoutUrl),
      example: { checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_1' },
    },
    problems: ['subscription-exists', 'conflict', ...trouble],
  },
  getSubscriptionStatus: {
    method: 'GET',
    url: '/api/payments/subscription-status',
    summary: 'Get the state of your subscription',
    description:
      'With `session_id` or `subscription_id`, as the provider appends it to the page after the payment, the service reads the state at the provider first. The ids must belong to a checkout of the account; others are ignored.',
    access: 'session',
    query: Type.Object({
      session_id: Type.Optional(Type.String({ maxLength: 200 })),
      subscription_id: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    success: {
      status: 200,
      description: 'The subscription.',
      schema: ref(SubscriptionStatus),
      example: status,
    },
  },
  getCurrentSubscription: {
    method: 'GET',
    url: '/api/subscription/current',
    summary: 'Get your subscription with what you can manage',
    access: 'session',
    success: {
      status: 200,
      description: 'The subscription.',
      schema: ref(Subscription),
      example: subscription,
    },
  },
  cancelSubscription: {
    method: 'POST',
    url: '/api/payments/cancel-subscription',
    summary: 'Cancel your subscription',
    description: CANCELLATION,
    ...cancellation,
  },
  cancelCurrentSubscription: {
    method: 'POST',
    url: '/api/subscription/cancel',
    summary: 'Cancel your subscription (another path)',
    description: CANCELLATION,
    ...cancellation,
  },
  resumeSubscription: {
    method: 'POST',
    url: '/api/payments/resume-subscription',
    summary: 'Resume a cancelled subscription',
    description:
      'Possible until `endsAt`. The subscription renews again. If the provider does not answer, a job repeats it, as for a cancellation.',
    access: 'session',
    success: {
      status: 200,
      description: 'The subscription renews again.',
      schema: ref(PaymentMessage),
      example: { message: 'Your subscription continues.', status },
    },
    problems: ['no-subscription', 'conflict', ...trouble],
  },
  updatePaymentMethod: {
    method: 'POST',
    url: '/api/payments/update-payment-method',
    summary: 'Change the payment method',
    description:
      'Answers the page of the provider on which the payment method is changed; for PayPal, that of the automatic payments.',
    ...toProvider,
  },
  createPortalSession: {
    method: 'POST',
    url: '/api/create-portal-session',
    summary: 'Open the page of the provider for your subscription',
    description: 'As `POST /api/payments/update-payment-method`.',
    ...toProvider,
  },
  previewSubscriptionChange: {
    method: 'GET',
    url: '/api/payments/change-plan/preview',
    summary: 'Preview a change of your plan',
    access: 'session',
    query: Type.Object({
      plan: Type.Enum([...PAID_PLANS]),
      billing: Type.Enum([...BILLING_CYCLES]),
    }),
    success: {
      status: 200,
      description: 'What would be charged, and when the plan would change.',
      schema: ref(PlanChangePreview),
      example: {
        kind: 'upgrade',
        takesEffect: 'now',
        takesEffectAt: '2026-05-20T08:30:00.000Z',
        dueNowCents: 1_612,
        creditCents: 888,
        nextPaymentCents: 2_500,
        nextPaymentAt: '2026-06-12T08:30:00.000Z',
        currency: 'USD',
        withheldDomains: 0,
        needsApproval: false,
      },
    },
    problems: ['no-subscription', 'conflict', ...trouble],
  },
  changeSubscription: {
    method: 'POST',
    url: '/api/payments/change-plan',
    summary: 'Change your plan',
    description:
      'A larger plan begins at once, and the unused time is credited. A smaller plan, and monthly instead of annual payment, begin with the next period. `checkoutUrl` is set if you must confirm or pay the change at the provider; the plan changes when that is done.',
    access: 'session',
    idempotencyKey: 'replayed',
    body: ref(PlanChange),
    bodyExample: { plan: 'elite', billing: 'monthly' },
    success: {
      status: 200,
      description: 'What was done, or what remains to be done.',
      schema: ref(PlanChangeResult),
      example: {
        message: 'Your plan is Elite now.',
        checkoutUrl: null,
        status: { ...status, plan: 'elite' },
      },
    },
    problems: ['no-subscription', 'conflict', ...trouble],
  },
  listInvoices: {
    method: 'GET',
    url: '/api/payments/invoices',
    summary: 'List your invoices',
    description: 'Invoices and credit notes of all providers, the newest first.',
    access: 'session',
    success: {
      status: 200,
      description: 'The invoices.',
      schema: Type.Array(ref(Invoice)),
      example: [invoice],
    },
  },
  requestRefund: {
    method: 'POST',
    url: '/api/payments/refund',
    summary: 'Get your first payment back',
    description: `The first payment of your first subscription is refunded in full within ${REFUND_HOURS} hours, once. The plan ends at once. Renewals and changes of plan are excluded: \`conflict\`.`,
    access: 'session',
    stepUp: true,
    success: {
      status: 200,
      description: 'The payment is refunded.',
      schema: ref(RefundResult),
      example: {
        message: 'Your payment of $110.00 is refunded. Your plan is Free now.',
        amountCents: 11_000,
        currency: 'USD',
      },
    },
    problems: ['no-subscription', 'conflict', ...trouble],
  },
  receiveStripeEvent: {
    ...webhook,
    url: '/api/payments/webhooks/stripe',
    summary: 'Receive an event of Stripe',
    description:
      'The signature over the body is verified, and its time must be within 5 minutes. The event is stored once; a job reads the state at Stripe.',
  },
  receivePaypalEvent: {
    ...webhook,
    url: '/api/payments/webhooks/paypal',
    summary: 'Receive an event of PayPal',
    description:
      'The signature over the body is verified. The event is stored once; a job reads the state at PayPal.',
  },
} as const satisfies Slice
