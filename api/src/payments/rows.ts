/** Rows of the tables of payments that more than one module reads, and the price of a subscription. */
import type { BillingCycle, PaidPlan, SubscriptionState } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { ProviderName } from './provider.ts'
import type { EndReason, Kept, StoppedBy } from './state/subscription.ts'

/** A row of `subscriptions`. */
export interface SubscriptionRow {
  readonly id: string
  readonly user_id: string | null
  readonly provider: ProviderName
  readonly provider_id: string
  readonly customer_id: string | null
  readonly checkout_id: string | null
  readonly price_id: string
  readonly state: SubscriptionState
  readonly provider_status: string
  readonly is_surplus: boolean
  readonly started_at: Date | null
  readonly period_start: Date | null
  readonly period_end: Date | null
  readonly paid_until: Date | null
  readonly ends_at: Date | null
  readonly first_failed_at: Date | null
  readonly ended_at: Date | null
  readonly end_reason: EndReason | null
  readonly next_price_id: string | null
  readonly payment_method: string | null
  readonly card_expires_at: Date | null
  readonly mailed: Readonly<Record<string, string>>
  readonly refetched_at: Date | null
  readonly next_refetch_at: Date | null
  readonly stopped_by: StoppedBy | null
  readonly stop_confirmed_at: Date | null
  readonly waits_until: Date | null
  readonly payer_digest: Buffer | null
  readonly version: number
}

export const COLUMNS = `
  id, user_id, provider, provider_id, customer_id, checkout_id, price_id, state, provider_status, is_surplus, started_at,
  period_start, period_end, paid_until, ends_at, first_failed_at, ended_at, end_reason, next_price_id, payment_method,
  card_expires_at, mailed, refetched_at, next_refetch_at, stopped_by, stop_confirmed_at, waits_until, payer_digest, version`

/** A price of ours. */
export interface Price {
  readonly id: string
  readonly plan: PaidPlan
  readonly billing: BillingCycle
  readonly amount_cents: number
  readonly currency: string
  readonly version: number
}

/** A row of `checkouts`. */
export interface CheckoutRow {
  readonly id: string
  readonly user_id: string | null
  readonly provider: ProviderName
  readonly purpose: 'new' | 'change' | 'switch'
  readonly replaces_id: string | null
  readonly price_id: string
  readonly party_id: string | null
  readonly provider_id: string | null
  readonly url: string | null
  readonly state: 'open' | 'completed' | 'expired' | 'failed'
  readonly created_at: Date
  readonly expires_at: Date
}

/** The part of a row that the state machine decides on. */
export const keptOf = (row: SubscriptionRow): Kept => ({
  state: row.state,
  readAt: row.refetched_at,
  stop: row.stopped_by && { by: row.stopped_by, confirmedAt: row.stop_confirmed_at },
  startedAt: row.started_at,
  paidUntil: row.paid_until,
  endsAt: row.ends_at,
  firstFailedAt: row.first_failed_at,
  endedAt: row.ended_at,
  endReason: row.end_reason,
  waitsUntil: row.waits_until,
})

/** The columns that the state machine decides on, for `write`. */
export const columnsOf = (kept: Kept) => ({
  state: kept.state,
  refetched_at: kept.readAt,
  stopped_by: kept.stop?.by ?? null,
  stop_confirmed_at: kept.stop?.confirmedAt ?? null,
  started_at: kept.startedAt,
  paid_until: kept.paidUntil,
  ends_at: kept.endsAt,
  first_failed_at: kept.firstFailedAt,
  ended_at: kept.endedAt,
  end_reason: kept.endReason,
  waits_until: kept.waitsUntil,
})

/** All subscriptions of an account, locked until the transaction ends. The caller has locked the account. */
export async function lockSubscriptions(
  trx: Knex.Transaction,
  userId: string,
): Promise<SubscriptionRow[]> {
  return query<SubscriptionRow>(
    trx,
    `select ${COLUMNS} from subscriptions where user_id = ? order by id for update`,
    [userId],
  )
}

/** One subscription, locked until the transaction ends; for one without an account, or after the account's lock. */
export async function lockSubscription(
  trx: Knex.Transaction,
  provider: ProviderName,
  providerId: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(
    trx,
    `select ${COLUMNS} from subscriptions where provider = ? and provider_id = ? for update`,
    [provider, providerId],
  )
  return row
}

const PRICE = 'p.id, p.plan, p.billing, p.amount_cents, p.currency, p.version'

/** A price of ours by its id. */
export async function priceById(db: Knex, id: string): Promise<Price> {
  const [row] = await query<Price>(db, `select ${PRICE} from plan_prices p where id = ?`, [id])
  if (row === undefined) throw new Error('a price of a subscription exists')
  return row
}

/** The price of ours that a price at the provider stands for; undefined: it is unknown, and is never granted. */
export async function priceAt(
  db: Knex,
  { provider, realm }: { readonly provider: ProviderName; readonly realm: string },
  providerId: string | null,
): Promise<Price | undefined> {
  if (providerId === null) return undefined
  const [row] = await query<Price>(
    db,
    `select ${PRICE} from plan_prices p join provider_prices at on at.price_id = p.id
     where at.provider = ? and at.realm = ? and (at.provider_id = ? or ? = any (at.former_ids))`,
    [provider, realm, providerId, providerId],
  )
  return row
}

/** The id that a price of ours has at a provider; undefined: it has none there. */
export async function priceIdAt(
  db: Knex,
  { provider, realm }: { readonly provider: ProviderName; readonly realm: string },
  priceId: string,
): Promise<string | undefined> {
  const [row] = await query<{ provider_id: string }>(
    db,
    'select provider_id from provider_prices where provider = ? and realm = ? and price_id = ?',
    [provider, realm, priceId],
  )
  return row?.provider_id
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A checkout by the id that a provider has for it; undefined: no checkout has this id. */
export async function checkoutAt(
  db: Knex,
  provider: ProviderName,
  providerId: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await query<CheckoutRow>(
    db,
    'select * from checkouts where provider = ? and provider_id = ?',
    [provider, providerId],
  )
  return row
}

/** A checkout by the id that the provider kept for us; undefined: it is not ours. */
export async function checkoutById(db: Knex, id: string | null): Promise<CheckoutRow | undefined> {
  if (id === null || !UUID.test(id)) return undefined
  const [row] = await query<CheckoutRow>(db, 'select * from checkouts where id = ?', [id])
  return row
}
