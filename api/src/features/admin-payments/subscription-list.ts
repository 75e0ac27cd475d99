/** The administrators' list of subscriptions, of all accounts and of deleted ones. */
import {
  type ADMIN_SUBSCRIPTION_SORT,
  type BillingCycle,
  PAID_PLANS,
  type PaidPlan,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
} from '@homing/openapi/vocabulary'
import type { AdminSubscription } from '@homing/openapi'
import type { Knex } from 'knex'
import { type ListForm, oneOf, oneWord, readList } from '../../models/list.ts'
import { Subscription } from '../../models/subscription.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { notFound } from '../../rules/errors.ts'
import { containedIn } from './list-filters.ts'

const LIST = {
  sort: {
    id: 'subscriptions.id',
    username: 'account.username',
    plan: 'price.plan',
    state: 'subscriptions.state',
    started_at: 'subscriptions.started_at',
    ends_at: 'subscriptions.ends_at',
  } satisfies Record<(typeof ADMIN_SUBSCRIPTION_SORT)[number], string>,
  newestFirst: true,
  filter: {
    q: containedIn('account.username', 'subscriptions.provider_id'),
    id: oneOf('subscriptions.id'),
    user_id: oneOf('subscriptions.user_id'),
    state: oneWord('state', 'subscriptions.state', SUBSCRIPTION_STATES),
    provider: oneWord('provider', 'subscriptions.provider', PAYMENT_PROVIDERS),
    plan: oneWord('plan', 'price.plan', PAID_PLANS),
  },
  keys: ['subscriptions.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

interface SubscriptionRow {
  readonly id: string
  readonly user_id: string | null
  readonly username: string | null
  readonly provider: PaymentProvider
  readonly provider_id: string
  readonly plan: PaidPlan
  readonly billing: BillingCycle
  readonly state: SubscriptionState
  readonly provider_status: string
  readonly is_surplus: boolean
  readonly amount_cents: number
  readonly currency: string
  readonly started_at: Date | null
  readonly period_end: Date | null
  readonly ends_at: Date | null
  readonly ended_at: Date | null
  readonly end_reason: string | null
  readonly refetched_at: Date | null
  readonly refunded_cents: number
  readonly refundable_cents: number | null
}

/** The refunds of the ledger: also those that were made at the provider. */
const REFUNDED = `
  (select coalesce(-sum(l.amount_cents), 0)::int from invoice_accounts a join ledger_entries l using (invoice_id)
   where a.subscription_id = subscriptions.id and l.kind = 'refund') as refunded_cents`

/** What is left of the last payment. The ledger keeps no invoices of accounts that were deleted. */
const REFUNDABLE = `
  (select sum(l.amount_cents)::int from ledger_entries l
   where l.kind in ('payment', 'refund') and l.invoice_id = (
     select p.invoice_id from invoice_accounts a join ledger_entries p using (invoice_id)
     where a.subscription_id = subscriptions.id and p.kind = 'payment' order by p.happened_at desc, p.id desc limit 1)
  ) as refundable_cents`

const forAdministrators = (knex: Knex) =>
  Subscription.query(knex)
    .leftJoin('users as account', 'account.id', 'subscriptions.user_id')
    .join('plan_prices as price', 'price.id', 'subscriptions.price_id')
    .select(
      'subscriptions.*',
      'account.username',
      'price.plan',
      'price.billing',
      'price.amount_cents',
      'price.currency',
      knex.raw(REFUNDED),
      knex.raw(REFUNDABLE),
    )

const iso = (at: Date | null) => at?.toISOString() ?? null

function body(row: SubscriptionRow): AdminSubscription {
  return {
    id: row.id,
    user_id: row.user_id,
    username: row.username,
    provider: row.provider,
    provider_id: row.provider_id,
    plan: row.plan,
    billing: row.billing,
    state: row.state,
    provider_status: row.provider_status,
    is_surplus: row.is_surplus,
    amount_cents: row.amount_cents,
    currency: row.currency,
    started_at: iso(row.started_at),
    period_end: iso(row.period_end),
    ends_at: iso(row.ends_at),
    ended_at: iso(row.ended_at),
    end_reason: row.end_reason,
    refetched_at: iso(row.refetched_at),
    refunded_cents: row.refunded_cents,
    refundable_cents: row.refundable_cents,
  }
}

export interface Page<Item> {
  readonly items: Item[]
  readonly offset: number
  readonly total: number
}

/** @throws Refusal `validation-failed` for a query that cannot be read */
export async function listSubscriptions(
  knex: Knex,
  query: ListQuery,
): Promise<Page<AdminSubscription>> {
  const request = parseListQuery(query, LIST)
  const { rows, total } = await readList<SubscriptionRow>(forAdministrators(knex), LIST, request)
  return { items: rows.map(body), offset: request.offset, total }
}

/** @throws Refusal `not-found` */
export async function findSubscription(knex: Knex, id: string): Promise<AdminSubscription> {
  const [row] = await forAdministrators(knex)
    .where('subscriptions.id', id)
    .toKnexQuery<SubscriptionRow>()
  if (row === undefined) throw notFound('subscription')
  return body(row)
}
