/** Subscriptions, events and the ledger of payments, for administrators. */
import { Type, type Static } from 'typebox'
import { LEDGER_KINDS, PAYMENT_EVENT_STATES, SUBSCRIPTION_STATES } from '../vocabulary.ts'
import { Id, nullable, record, Time } from '../schema.ts'
import { billing, cents, currency, plan, provider } from './payment-parts.ts'

export const AdminSubscription = record(
  'AdminSubscription',
  {
    id: Id,
    user_id: nullable({ ...Id, description: 'The account. Null: it was deleted.' }),
    username: nullable(Type.String()),
    provider,
    provider_id: Type.String({ description: 'The id at the provider.' }),
    plan,
    billing,
    state: Type.Enum([...SUBSCRIPTION_STATES]),
    provider_status: Type.String({ description: 'The state as the provider calls it.' }),
    is_surplus: Type.Boolean({
      description: 'Whether it was a second subscription of the account, cancelled and refunded.',
    }),
    amount_cents: cents('The price.'),
    currency,
    started_at: nullable(Time),
    period_end: nullable(Time),
    ends_at: nullable(Time),
    ended_at: nullable(Time),
    end_reason: nullable(Type.String()),
    refetched_at: nullable({
      ...Time,
      description: 'When its state was read at the provider last.',
    }),
    refunded_cents: cents('What was refunded of its payments.'),
    refundable_cents: nullable(
      cents('What a refund pays back: what is left of the last payment. Null: not known.'),
    ),
  },
  'A subscription of any account, for administrators.',
)
export type AdminSubscription = Static<typeof AdminSubscription>

export const AdminPaymentEvent = record(
  'AdminPaymentEvent',
  {
    id: Id,
    provider,
    event_id: Type.String(),
    type: Type.String(),
    object_id: nullable(Type.String()),
    state: Type.Enum([...PAYMENT_EVENT_STATES]),
    attempts: Type.Integer(),
    error: nullable(Type.String()),
    received_at: Time,
    applied_at: nullable(Time),
    subscription_id: nullable({ ...Id, description: 'The subscription that it is about.' }),
  },
  'An event that a payment provider sent.',
)
export type AdminPaymentEvent = Static<typeof AdminPaymentEvent>

export const AdminLedgerEntry = record(
  'AdminLedgerEntry',
  {
    id: Id,
    happened_at: Time,
    provider,
    kind: Type.Enum([...LEDGER_KINDS]),
    amount_cents: cents('Positive: received. Negative: paid back.'),
    currency,
    provider_id: Type.String({ description: 'The id of the payment or refund at the provider.' }),
    invoice_number: nullable(Type.String()),
    reason: nullable(
      Type.String({ description: 'Why an administrator refunded the payment. Null: not known.' }),
    ),
  },
  'An entry of the ledger.',
)
export type AdminLedgerEntry = Static<typeof AdminLedgerEntry>

export const AdminLedgerTotal = record(
  'AdminLedgerTotal',
  {
    provider,
    currency,
    kind: Type.Enum([...LEDGER_KINDS]),
    entries: Type.Integer({ minimum: 1, description: 'The number of entries.' }),
    amount_cents: cents('Their sum. Positive: received. Negative: paid back.'),
  },
  'The sum of the entries of the ledger of one kind, at one provider and in one currency.',
)
export type AdminLedgerTotal = Static<typeof AdminLedgerTotal>

export const AdminRefund = record('AdminRefund', {
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Why. It is kept with the refund.',
  }),
  ends_plan: Type.Optional(
    Type.Boolean({ description: 'Whether the subscription ends at once. Default: true.' }),
  ),
})
export type AdminRefund = Static<typeof AdminRefund>
