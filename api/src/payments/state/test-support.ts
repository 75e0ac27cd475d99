/** Reads as a provider could give them, for tests of the state machine. */
import type { ReadInvoice, ReadSubscription } from '../provider.ts'

const START = new Date('2026-03-02T09:00:00Z')
const DAY_MS = 86_400_000

/** A time some days after the start. */
export const day = (days: number): Date => new Date(START.getTime() + days * DAY_MS)

export const invoice = (fields: Partial<ReadInvoice> = {}): ReadInvoice => ({
  id: 'in_1',
  kind: 'first',
  status: 'paid',
  totalCents: 1_000,
  currency: 'USD',
  issuedAt: START,
  paidAt: START,
  periodStart: START,
  periodEnd: day(30),
  lines: [],
  paymentId: 'py_1',
  paidCents: 1_000,
  refunds: [],
  disputes: [],
  hostedUrl: null,
  ...fields,
})

/** A running subscription, read after a day. */
export const reading = (fields: Partial<ReadSubscription> = {}): ReadSubscription => ({
  provider: 'stripe',
  providerId: 'sub_1',
  readAt: day(1),
  customerId: null,
  checkoutId: null,
  priceProviderId: 'price_1',
  nextPriceProviderId: null,
  standing: 'running',
  providerStatus: 'active',
  startedAt: START,
  startsAt: null,
  periodStart: START,
  periodEnd: day(30),
  cancelAt: null,
  endedAt: null,
  firstFailedAt: null,
  payer: null,
  paymentMethod: null,
  cardExpiresAt: null,
  billingDetails: null,
  invoices: [invoice()],
  ...fields,
})

const refund = { id: 're_1', amountCents: 1_000, at: day(2), hasSucceeded: true }
const dispute = {
  id: 'dp_1',
  amountCents: 1_000,
  openedAt: day(2),
  isWithdrawn: true,
  returned: null,
}

/** What can be read of a subscription, by its name in the table of the documentation. */
export const READS = {
  'is not paid': { standing: 'incomplete', invoices: [], startedAt: null },
  'is paid': {},
  'a payment is missing': {
    standing: 'unpaid',
    firstFailedAt: day(0.5),
    periodStart: day(0.5),
    periodEnd: day(30.5),
  },
  'does not renew': { cancelAt: day(30) },
  'is suspended (PayPal)': { provider: 'paypal', standing: 'paused', periodEnd: null },
  'is cancelled (PayPal)': {
    provider: 'paypal',
    standing: 'ended',
    periodEnd: null,
    endedAt: day(1),
  },
  'is ended (Stripe)': { standing: 'ended', endedAt: day(1) },
  'the latest payment is refunded in full': { invoices: [invoice({ refunds: [refund] })] },
  'a part is refunded': { invoices: [invoice({ refunds: [{ ...refund, amountCents: 400 }] })] },
  'a dispute is open': {
    invoices: [invoice({ disputes: [{ ...dispute, status: 'open', closedAt: null }] })],
  },
  'a dispute is lost, or PayPal reversed a payment': {
    invoices: [invoice({ disputes: [{ ...dispute, status: 'lost', closedAt: day(3) }] })],
  },
} as const satisfies Readonly<Record<string, Partial<ReadSubscription>>>
