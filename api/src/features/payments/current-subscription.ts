/** The subscription with everything that its owner manages. */
import type { BillingDetails, Subscription } from '@homing/openapi'
import type { PaidPlan } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { canResume } from '../../payments/can-resume.ts'
import { paymentMethodsOf } from '../../payments/configured.ts'
import { nextSubscription } from '../../payments/live-subscription.ts'
import { refundableUntil } from '../../payments/refund.ts'
import { type Price, priceById, type SubscriptionRow } from '../../payments/rows.ts'
import { shownSubscription, subscriptionStatus } from '../../payments/shown-status.ts'

const DETAILS = `
  select first_name as "firstName", last_name as "lastName", email, address, city, state, zip_code as "zipCode", country
  from account_billing b join billing_parties p on p.id = b.party_id where b.user_id = ?`

async function billingDetails(knex: Knex, userId: string): Promise<BillingDetails | null> {
  const [row] = await query<BillingDetails>(knex, DETAILS, [userId])
  return row ?? null
}

async function complimentaryPlan(knex: Knex, userId: string, now: Date): Promise<PaidPlan | null> {
  const [row] = await query<{ plan: PaidPlan }>(
    knex,
    `select plan from plan_grants where user_id = ? and source = 'complimentary' and (until is null or until > ?)`,
    [userId, now],
  )
  return row?.plan ?? null
}

const iso = (at: Date | null) => at?.toISOString() ?? null

/** What begins when the subscription ends. */
async function followedBy(knex: Knex, userId: string, row: SubscriptionRow) {
  const next = await nextSubscription(knex, userId)
  if (next === undefined || next.waits_until === null || next.id === row.id) return null
  const { plan, billing } = await priceById(knex, next.price_id)
  return { provider: next.provider, plan, billing, at: next.waits_until.toISOString() }
}

async function managed(services: Services, userId: string, row: SubscriptionRow) {
  const price = await priceById(services.knex, row.price_id)
  const next: Price | undefined =
    row.next_price_id === null ? undefined : await priceById(services.knex, row.next_price_id)
  const at = row.period_end ?? row.paid_until
  const following = await followedBy(services.knex, userId, row)
  return {
    provider: row.provider,
    amountCents: (next ?? price).amount_cents,
    currency: price.currency,
    paymentMethod: row.payment_method,
    startedAt: iso(row.started_at),
    pendingChange:
      next === undefined || at === null
        ? null
        : { plan: next.plan, billing: next.billing, at: at.toISOString() },
    followedBy: following,
    canResume: following === null && canResume(row),
    refundableUntil: iso(await refundableUntil(services, row)),
  }
}

const UNMANAGED = {
  provider: null,
  amountCents: null,
  currency: null,
  paymentMethod: null,
  startedAt: null,
  pendingChange: null,
  followedBy: null,
  canResume: false,
  refundableUntil: null,
}

export async function currentSubscription(
  services: Services,
  userId: string,
): Promise<Subscription> {
  const { knex, payments, now } = services
  const row = await shownSubscription(knex, userId)
  return {
    ...(await subscriptionStatus(knex, userId)),
    ...(row === undefined ? UNMANAGED : await managed(services, userId, row)),
    canUse: paymentMethodsOf(payments),
    billingDetails: await billingDetails(knex, userId),
    complimentaryPlan: await complimentaryPlan(knex, userId, now()),
  }
}
