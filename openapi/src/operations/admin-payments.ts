/** Payments of all accounts, for administrators: subscriptions, the events of the providers, and the ledger. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  AdminLedgerEntry,
  AdminLedgerTotal,
  AdminPaymentEvent,
  AdminRefund,
  AdminSubscription,
} from '../schemas/admin-payments.ts'
import {
  ADMIN_LEDGER_SORT,
  ADMIN_PAYMENT_EVENT_SORT,
  ADMIN_SUBSCRIPTION_SORT,
  LEDGER_KINDS,
  PAID_PLANS,
  PAYMENT_EVENT_STATES,
  PAYMENT_PROVIDERS,
  SUBSCRIPTION_STATES,
} from '../vocabulary.ts'

const byId = Type.Object({ id: Id })
const trouble = ['payments-unavailable', 'provider-unavailable'] as const

const ledgerQuery = listQuery({
  sort: ADMIN_LEDGER_SORT,
  filter: {
    q: 'a part of an id at the provider or of the number of an invoice',
    id: 'one id or a list of ids',
    kind: LEDGER_KINDS.join(', '),
    provider: PAYMENT_PROVIDERS.join(', '),
    from: 'a time: only entries from then on',
    to: 'a time: only entries before it',
  },
})
const ledgerFilter = Type.Object({ filter: ledgerQuery.properties.filter })

const adminSubscription: AdminSubscription = {
  id: '9',
  user_id: '7',
  username: 'ada',
  provider: 'stripe',
  provider_id: 'sub_1Pq',
  plan: 'pro',
  billing: 'annual',
  state: 'active',
  provider_status: 'active',
  is_surplus: false,
  amount_cents: 11_000,
  currency: 'USD',
  started_at: '2026-05-12T08:30:00.000Z',
  period_end: '2027-05-12T08:30:00.000Z',
  ends_at: null,
  ended_at: null,
  end_reason: null,
  refetched_at: '2026-05-12T08:30:00.000Z',
  refunded_cents: 0,
  refundable_cents: 11_000,
}

export const adminPayments = {
  listSubscriptions: {
    method: 'GET',
    url: '/api/admin/subscriptions',
    summary: 'List the subscriptions of all accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_SUBSCRIPTION_SORT,
      filter: {
        q: 'a part of the username or of the id at the provider',
        id: 'one id or a list of ids',
        user_id: 'the id of an account',
        state: SUBSCRIPTION_STATES.join(', '),
        provider: PAYMENT_PROVIDERS.join(', '),
        plan: PAID_PLANS.join(', '),
      },
    }),
    success: {
      status: 200,
      description: 'The subscriptions.',
      schema: Type.Array(ref(AdminSubscription)),
      example: [adminSubscription],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  refetchSubscription: {
    method: 'POST',
    url: '/api/admin/subscriptions/{id}/refetch',
    summary: 'Read the state of a subscription at its provider',
    access: 'administrator',
    permission: 'administration',
    params: byId,
    success: {
      status: 200,
      description: 'The subscription as it is now.',
      schema: ref(AdminSubscription),
      example: adminSubscription,
    },
    problems: ['not-found', ...trouble],
  },
  refundSubscription: {
    method: 'POST',
    url: '/api/admin/subscriptions/{id}/refund',
    summary: 'Refund the last payment of a subscription',
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: byId,
    body: ref(AdminRefund),
    bodyExample: { reason: 'The service was down for two days.' },
    success: {
      status: 200,
      description: 'The payment is refunded.',
      schema: ref(AdminSubscription),
      example: {
        ...adminSubscription,
        state: 'ended',
        refunded_cents: 11_000,
        refundable_cents: 0,
      },
    },
    problems: ['not-found', 'conflict', ...trouble],
  },
  listPaymentEvents: {
    method: 'GET',
    url: '/api/admin/payment-events',
    summary: 'List the events of the payment providers',
    description:
      'Without `range`, the list has 25 items; the maximum is 100. Events are kept for 400 days.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_PAYMENT_EVENT_SORT,
      filter: {
        q: 'a part of the type or of an id at the provider',
        id: 'one id or a list of ids',
        state: PAYMENT_EVENT_STATES.join(', '),
        provider: PAYMENT_PROVIDERS.join(', '),
        subscription_id: 'the id of a subscription',
      },
    }),
    success: {
      status: 200,
      description: 'The events.',
      schema: Type.Array(ref(AdminPaymentEvent)),
      example: [
        {
          id: '31',
          provider: 'stripe',
          event_id: 'evt_1',
          type: 'invoice.paid',
          object_id: 'in_1',
          state: 'applied',
          attempts: 1,
          error: null,
          received_at: '2026-05-12T08:30:00.000Z',
          applied_at: '2026-05-12T08:30:01.000Z',
          subscription_id: '9',
        },
      ],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  listLedger: {
    method: 'GET',
    url: '/api/admin/ledger',
    summary: 'List the ledger',
    description:
      'Payments, refunds and disputes of all providers. Entries stay when an account is deleted. Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: ledgerQuery,
    success: {
      status: 200,
      description: 'The entries.',
      schema: Type.Array(ref(AdminLedgerEntry)),
      example: [
        {
          id: '5',
          happened_at: '2026-05-12T08:30:00.000Z',
          provider: 'stripe',
          kind: 'payment',
          amount_cents: 11_000,
          currency: 'USD',
          provider_id: 'py_1',
          invoice_number: 'H-2026-000123',
          reason: null,
        },
      ],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  sumLedger: {
    method: 'GET',
    url: '/api/admin/ledger/totals',
    summary: 'Sum the ledger',
    description:
      'The sums of the entries that match the filter, by provider, currency and kind. With `from` and `to`, they are to be compared with the reports of the providers for that time, without fees.',
    access: 'administrator',
    permission: 'administration',
    query: ledgerFilter,
    success: {
      status: 200,
      description: 'The sums, in the order of provider, currency and kind.',
      schema: Type.Array(ref(AdminLedgerTotal)),
      example: [
        {
          provider: 'stripe',
          currency: 'USD',
          kind: 'payment',
          entries: 12,
          amount_cents: 132_000,
        },
        {
          provider: 'stripe',
          currency: 'USD',
          kind: 'refund',
          entries: 1,
          amount_cents: -11_000,
        },
      ],
    },
  },
  exportLedger: {
    method: 'GET',
    url: '/api/admin/ledger/export',
    summary: 'Export the ledger',
    description:
      'The entries that match the filter as a CSV file (RFC 4180), the oldest first. `amount` is a decimal number. The response is streamed.',
    access: 'administrator',
    permission: 'administration',
    query: ledgerFilter,
    success: {
      status: 200,
      description: 'The file.',
      contentType: 'text/csv',
      download: 'ledger.csv',
      schema: Type.String(),
      example:
        'time,provider,kind,amount,currency,provider_id,invoice_number,reason\r\n2026-05-12T08:30:00.000Z,stripe,payment,110.00,USD,py_1,H-2026-000123,\r\n',
    },
  },
} as const satisfies Slice
