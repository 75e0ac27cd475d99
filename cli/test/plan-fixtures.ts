/** Subscriptions, previews and invoices, in the form of the contract. */
import type { components } from '@homing/openapi/client'

type Schemas = components['schemas']

const PARTY: Schemas['BillingDetails'] = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62701',
  country: 'US',
}

/** Pro per month, by card. */
export const subscription = (
  changes: Partial<Schemas['Subscription']> = {},
): Schemas['Subscription'] => ({
  hasSubscription: true,
  plan: 'pro',
  interval: 'monthly',
  status: 'active',
  endsAt: null,
  nextPaymentDue: '2026-06-12T08:30:00.000Z',
  isInGracePeriod: false,
  provider: 'stripe',
  amountCents: 1_000,
  currency: 'USD',
  paymentMethod: 'Visa ending in 4242',
  startedAt: '2026-05-12T08:30:00.000Z',
  pendingChange: null,
  followedBy: null,
  canResume: false,
  refundableUntil: '2026-05-19T08:30:00.000Z',
  canUse: { card: true, paypal: true },
  billingDetails: PARTY,
  complimentaryPlan: null,
  ...changes,
})

/** An account that has paid nothing. */
export const noSubscription = (
  changes: Partial<Schemas['Subscription']> = {},
): Schemas['Subscription'] =>
  subscription({
    hasSubscription: false,
    plan: null,
    interval: null,
    status: null,
    nextPaymentDue: null,
    isInGracePeriod: null,
    provider: null,
    amountCents: null,
    currency: null,
    paymentMethod: null,
    startedAt: null,
    refundableUntil: null,
    billingDetails: null,
    ...changes,
  })

/** From Pro to Elite in the middle of a month. */
export const preview = (
  changes: Partial<Schemas['PlanChangePreview']> = {},
): Schemas['PlanChangePreview'] => ({
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
  ...changes,
})

export const invoice = (changes: Partial<Schemas['Invoice']> = {}): Schemas['Invoice'] => ({
  id: '17',
  number: 'H-2026-000123',
  kind: 'invoice',
  status: 'paid',
  provider: 'stripe',
  issuedAt: '2026-05-12T08:30:00.000Z',
  paidAt: '2026-05-12T08:31:00.000Z',
  totalCents: 11_000,
  taxCents: 1_833,
  taxRate: 20,
  currency: 'USD',
  lines: [{ description: 'Pro, annual, 12 May 2026 to 12 May 2027', amountCents: 11_000 }],
  party: PARTY,
  correctsNumber: null,
  ...changes,
})
