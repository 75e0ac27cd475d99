/** What PayPal's answers mean: a table of answers that cannot all be had from the local server. */
import { describe, expect, test } from 'vitest'
import type { ReadSubscription } from '../provider.ts'
import type { PaypalPlan, PaypalSubscription } from './paypal-objects.ts'
import { periodAt } from './paypal-periods.ts'
import type { PaymentRead } from './paypal-payments.ts'
import { normalized, STOP_NOTE } from './paypal-read.ts'

const plan: PaypalPlan = {
  id: 'P-1',
  billing_cycles: [
    {
      frequency: { interval_unit: 'MONTH', interval_count: 1 },
      pricing_scheme: { fixed_price: { value: '10.0', currency_code: 'USD' } },
    },
  ],
}
const active: PaypalSubscription = {
  id: 'I-1',
  status: 'ACTIVE',
  status_update_time: '2026-11-10T09:00:30Z',
  plan_id: 'P-1',
  plan,
  plan_overridden: false,
  quantity: '1',
  custom_id: 'c-1',
  create_time: '2026-11-10T09:00:00Z',
  start_time: '2026-11-10T09:00:00Z',
  subscriber: { email_address: 'ada@example.net', payer_id: 'PAYER' },
  billing_info: { next_billing_time: '2026-12-10T10:00:00Z', failed_payments_count: 0 },
}
const payment = (time = '2026-11-10T09:00:20Z', value = '10.00'): PaymentRead => ({
  transaction: {
    id: 'TX-1',
    status: 'COMPLETED',
    time,
    amount_with_breakdown: { gross_amount: { value, currency_code: 'USD' } },
  },
  movements: { refunds: [], disputes: [] },
})
const failed = { last_failed_payment: { time: '2026-12-15T10:00:00Z' }, failed_payments_count: 1 }
const readAt = new Date('2026-12-20T00:00:00Z')

interface Row {
  readonly is: string
  readonly given?: Partial<PaypalSubscription>
  readonly payments?: readonly PaymentRead[]
  readonly means: Partial<ReadSubscription>
}

const ROWS: readonly Row[] = [
  {
    is: 'waiting for approval',
    given: { status: 'APPROVAL_PENDING', subscriber: {} },
    payments: [],
    means: { standing: 'incomplete', startedAt: null, paymentMethod: null, customerId: null },
  },
  {
    is: 'approved and not active',
    given: { status: 'APPROVED' },
    payments: [],
    means: { standing: 'incomplete' },
  },
  {
    is: 'active without its first payment',
    given: { billing_info: { next_billing_time: '2026-11-10T10:00:00Z' } },
    payments: [],
    means: { standing: 'incomplete', startedAt: null, startsAt: null },
  },
  {
    is: 'active and billed, before PayPal lists the payment',
    given: { billing_info: { last_payment: { time: '2026-11-10T09:00:20Z' } } },
    payments: [],
    means: {
      standing: 'running',
      startedAt: new Date('2026-11-10T09:00:00Z'),
      periodEnd: new Date('2027-01-10T10:00:00Z'),
    },
  },
  {
    is: 'active with its next payment after the first period',
    payments: [],
    means: { standing: 'running', periodEnd: new Date('2026-12-10T10:00:00Z') },
  },
  {
    is: 'active for later, without its payer',
    given: { subscriber: {}, start_time: '2026-12-24T00:00:00Z', billing_info: {} },
    payments: [],
    means: {
      standing: 'running',
      startsAt: new Date('2026-12-24T00:00:00Z'),
      periodEnd: new Date('2026-12-24T00:00:00Z'),
    },
  },
  {
    is: 'active, and a payment failed at a time that PayPal does not tell',
    given: { billing_info: { ...active.billing_info, failed_payments_count: 1 } },
    means: { standing: 'unpaid', firstFailedAt: null },
  },
  {
    is: 'active, and its first payment failed',
    given: { billing_info: failed },
    payments: [],
    means: { standing: 'incomplete' },
  },
  {
    is: 'active and paid',
    means: {
      standing: 'running',
      startedAt: new Date('2026-11-10T09:00:20Z'),
      periodEnd: new Date('2026-12-10T10:00:00Z'),
      payer: 'PAYER',
    },
  },
  {
    is: 'active from a later time',
    given: { start_time: '2027-01-01T00:00:00Z' },
    payments: [],
    means: {
      standing: 'running',
      startsAt: new Date('2027-01-01T00:00:00Z'),
      startedAt: new Date('2026-11-10T09:00:00Z'),
    },
  },
  {
    is: 'active with a payment that is missing since its due day',
    given: { billing_info: failed },
    means: {
      standing: 'unpaid',
      firstFailedAt: new Date('2026-12-10T10:00:00Z'),
      periodStart: new Date('2026-12-10T10:00:00Z'),
    },
  },
  {
    is: 'active, and the failure is older than the last payment',
    given: { billing_info: failed },
    payments: [payment(), payment('2026-12-16T00:00:00Z')],
    means: { standing: 'running', firstFailedAt: null },
  },
  {
    is: 'suspended',
    given: { status: 'SUSPENDED' },
    means: { standing: 'paused', periodEnd: null, firstFailedAt: null, cancelAt: null },
  },
  {
    is: 'suspended by us while a payment is missing',
    given: { status: 'SUSPENDED', status_change_note: STOP_NOTE, billing_info: failed },
    means: { standing: 'paused', cancelAt: new Date('2026-12-10T10:00:00Z') },
  },
  {
    is: 'suspended by PayPal because a payment is missing',
    given: { status: 'SUSPENDED', billing_info: failed },
    means: { standing: 'paused', cancelAt: null, firstFailedAt: new Date('2026-12-10T10:00:00Z') },
  },
  {
    is: 'cancelled',
    given: { status: 'CANCELLED' },
    means: { standing: 'ended', endedAt: new Date('2026-11-10T09:00:30Z'), periodEnd: null },
  },
  {
    is: 'expired without approval',
    given: { status: 'EXPIRED', subscriber: {} },
    payments: [],
    means: { standing: 'ended', startedAt: null },
  },
  {
    is: 'of a plan with its own price',
    given: { plan_overridden: true },
    means: { priceProviderId: null },
  },
  { is: 'of two at once', given: { quantity: '2' }, means: { priceProviderId: null } },
]

describe('a subscription that is', () => {
  test.each(ROWS)('$is', ({ given, payments = [payment()], means }) => {
    expect(normalized({ ...active, ...given }, payments, readAt)).toMatchObject(means)
  })

  test('paid has an invoice for each payment, with its period', () => {
    const read = normalized(active, [payment(), payment('2026-12-15T10:00:00Z', '9.99')], readAt)
    expect(read.invoices).toMatchObject([
      { kind: 'first', totalCents: 1_000, periodEnd: new Date('2026-12-10T10:00:00Z') },
      {
        kind: 'renewal',
        totalCents: 999,
        periodStart: new Date('2026-12-10T10:00:00Z'),
        periodEnd: new Date('2027-01-10T10:00:00Z'),
      },
    ])
  })
})

describe('a period', () => {
  const month = { unit: 'MONTH', count: 1 } as const
  test.each([
    ['2026-01-31T15:00:00Z', month, '2026-02-28T10:00:00Z', '2026-03-31T10:00:00.000Z'],
    ['2026-01-31T15:00:00Z', month, '2026-02-27T23:00:00Z', '2026-02-28T10:00:00.000Z'],
    [
      '2024-02-29T01:00:00Z',
      { unit: 'YEAR', count: 1 },
      '2024-03-01T00:00:00Z',
      '2025-02-28T10:00:00.000Z',
    ],
    [
      '2026-03-01T23:59:59Z',
      { unit: 'DAY', count: 7 },
      '2026-03-08T10:00:00Z',
      '2026-03-15T10:00:00.000Z',
    ],
  ] as const)(
    'from %s ends on the same day, or on the last of the month',
    (start, interval, at, end) => {
      expect(periodAt(new Date(start), interval, new Date(at)).end.toISOString()).toBe(end)
    },
  )
})
