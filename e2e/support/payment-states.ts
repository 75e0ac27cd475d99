/** States of subscriptions that a service reaches after weeks, and what administrators see of them, written into the database. */
import { Client } from 'pg'
import type { Service } from './stack.ts'
import { embeddedUrl } from './tables.ts'

/** A subscription, as the screens tell them apart. */
export interface SubscriptionState {
  readonly state: 'active' | 'past_due' | 'canceled' | 'disputed' | 'ended'
  readonly provider?: 'stripe' | 'paypal'
  readonly paymentMethod?: string
  /** Days until it ends; null: it renews. */
  readonly endsInDays?: number | null
  readonly isRefundable?: boolean
  readonly hasPendingChange?: boolean
}

const STATE = `
  update subscriptions s
  set state = $2, provider = $3, payment_method = $4, ends_at = now() + make_interval(days => $5::int),
      first_failed_at = case when $2 = 'past_due' then now() - interval '1 day' end,
      stopped_by = case when $2 = 'canceled' then 'owner' end,
      ended_at = case when $2 = 'ended' then now() end,
      started_at = case when $6 then now() - interval '1 day' else now() - interval '40 days' end,
      next_price_id = case when $7 then (select id from plan_prices where plan = 'pro' and billing = 'monthly' and is_current) end,
      next_refetch_at = null
  from users u where u.id = s.user_id and u.username = $1`

/** Puts the subscription of an account into a state, without its provider. */
export async function setSubscription(
  stack: Service,
  username: string,
  changes: SubscriptionState,
): Promise<void> {
  const { state, provider = 'stripe', paymentMethod = 'Visa ending in 4242' } = changes
  const { endsInDays = null, isRefundable = false, hasPendingChange = false } = changes
  const values = [
    username,
    state,
    provider,
    paymentMethod,
    endsInDays,
    isRefundable,
    hasPendingChange,
  ]
  await run(stack, STATE, values)
}

const OFFICE = `
  with price as (select id from plan_prices order by id limit 1), gone as (
    insert into subscriptions (provider, provider_id, price_id, state, provider_status, is_surplus, started_at, ended_at, end_reason)
    select v.provider, v.provider_id, price.id, v.state, v.status, v.is_surplus, now() - interval '9 days', now(), v.reason
    from price, (values
      ('paypal', 'I-BW452GLLEP1G', 'ended', 'CANCELLED', true, 'surplus'),
      ('stripe', 'sub_1QxYzABCDEFGHIJKLMNOPqrs', 'ended', 'canceled', false, 'refunded')
    ) as v(provider, provider_id, state, status, is_surplus, reason)
    returning id, provider
  )
  insert into payment_events (provider, event_id, type, object_id, state, attempts, error, subscription_id, applied_at, due_at)
  select v.provider, v.event_id, v.type, v.object_id, v.state, v.attempts, v.error,
         (select min(gone.id) from gone where gone.provider = v.provider and v.state = 'applied'),
         case when v.state = 'applied' then now() end, now() + interval '1 day'
  from (values
    ('stripe', 'evt_1QxYzABCDEFGHIJKLMNOPqrs', 'customer.subscription.pending_update_applied', 'sub_1QxYzABCDEFGHIJKLMNOPqrs', 'applied', 1, null),
    ('stripe', 'evt_pending', 'invoice.paid', 'in_1QxYzABCDEFGHIJKLMNOPqrs', 'pending', 0, null),
    ('stripe', 'evt_ignored', 'charge.updated', null, 'ignored', 1, null),
    ('paypal', 'WH-2WR32451HC0233532-67976317FL4543714', 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', 'I-BW452GLLEP1G', 'unknown-account', 1, null),
    ('paypal', 'WH-80021663DE681814L-23594075YJ9414234', 'PAYMENT.SALE.COMPLETED', '80021663DE681814L', 'failed', 12,
     'The plan P-5ML4271244454362WXNWU5NQ at the provider is not one of this service')
  ) as v(provider, event_id, type, object_id, state, attempts, error)`

const LEDGER = `
  insert into ledger_entries (happened_at, provider, kind, amount_cents, currency, provider_id, invoice_id)
  select now() - interval '1 hour', v.provider, v.kind, v.cents, 'USD', v.provider_id, null
  from (values
    ('stripe', 'refund', -11000, 're_1QxYzABCDEFGHIJKLMNOPqrs'),
    ('paypal', 'dispute', -27500, 'PP-R-KAK-10117450'),
    ('paypal', 'payment', 123456700, '80021663DE681814L')
  ) as v(provider, kind, cents, provider_id)`

/** Writes subscriptions of deleted accounts, events in every state, and entries of the ledger, for administrators. */
export async function fillOffice(stack: Service): Promise<void> {
  await run(stack, OFFICE)
  await run(stack, LEDGER)
}

const CREDIT_NOTE = `
  with invoice as (
    select i.* from invoices i join invoice_accounts a on a.invoice_id = i.id join users u on u.id = a.user_id
    where u.username = $1 order by i.id limit 1
  ), others as (
    insert into invoices (number, kind, status, provider, provider_id, party_id, corrects_id, issued_at, paid_at,
                          total_cents, tax_cents, tax_basis_points, currency, lines)
    select v.number, v.kind, v.status, provider, provider_id || v.number, party_id, case v.kind when 'credit_note' then id end,
           issued_at, null, v.cents, v.tax, 1900, currency, v.lines::jsonb
    from invoice, (values
      ('H-2026-900001', 'credit_note', 'refunded', -11000, -1756, '[{"description":"Refund of Pro, annual","amountCents":-11000}]'),
      ('H-2026-900002', 'invoice', 'open', 123456, 19711,
       '[{"description":"Remaining time on Elite, annual, after the change from Pro, monthly, from 12 May 2026","amountCents":124456},{"description":"Unused time on Pro, monthly","amountCents":-1000}]'),
      ('H-2026-900003', 'invoice', 'void', 1000, 0, '[{"description":"Pro, monthly","amountCents":1000}]')
    ) as v(number, kind, status, cents, tax, lines)
    returning id
  )
  insert into invoice_accounts (invoice_id, user_id)
  select others.id, u.id from others, users u where u.username = $1`

/** Gives an account that has an invoice a credit note, an open invoice and one that is void. */
export const addInvoices = (stack: Service, username: string): Promise<void> =>
  run(stack, CREDIT_NOTE, [username])

async function run(
  { dataDir }: Service,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const client = new Client({ connectionString: embeddedUrl(dataDir) })
  await client.connect()
  try {
    await client.query(sql, [...values])
  } finally {
    await client.end()
  }
}
