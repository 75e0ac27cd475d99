/** Begins a payment: a row of ours, then the page of the provider, which keeps the id of the row. */
import type { NewCheckout } from '@homing/openapi'
import type { Knex } from 'knex'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { askProvider, configuredProvider } from '../../payments/answer-trouble.ts'
import { liveSubscription, nextSubscription } from '../../payments/live-subscription.ts'
import { addParty, setAccountParty } from '../../payments/parties.ts'
import { currentPrice, priceToSell } from '../../payments/prices.ts'
import type { PaymentProvider } from '../../payments/provider.ts'
import type { Price, SubscriptionRow } from '../../payments/rows.ts'
import { Refusal } from '../../rules/errors.ts'
import { type CheckoutWish, parseCheckout } from './parse-checkout.ts'

/** Stripe keeps a page open for at least 30 minutes. */
const CHECKOUT_MS = 3_600_000

/** Why and from when a subscription is bought. */
export interface Purpose {
  readonly kind: 'new' | 'change' | 'switch'
  readonly replacesId: string | null
  readonly startsAt: Date | null
}

const NEW: Purpose = { kind: 'new', replacesId: null, startsAt: null }

/**
 * A subscription that does not renew can be followed by one at another provider.
 *
 * @throws Refusal `subscription-exists`
 */
function purposeOf(
  live: SubscriptionRow | undefined,
  next: SubscriptionRow | undefined,
  { provider }: CheckoutWish,
): Purpose {
  if (live === undefined) return NEW
  if (next !== undefined) {
    throw new Refusal(
      'subscription-exists',
      'Your account already has a subscription that begins when the present one ends.',
    )
  }
  const { paid_until: startsAt } = live
  const isLeaving = live.state === 'canceled' && live.first_failed_at === null
  if (isLeaving && live.provider !== provider && startsAt !== null) {
    return { kind: 'switch', replacesId: live.id, startsAt }
  }
  const way =
    live.state === 'canceled'
      ? 'Resume it, then change its plan.'
      : 'Change its plan, or cancel it first to pay in another way when it ends.'
  throw new Refusal('subscription-exists', `Your account already has a subscription. ${way}`)
}

/** @throws Refusal `conflict` for an account that cannot have a plan */
async function requirePayer(trx: Knex.Transaction, userId: string): Promise<void> {
  const account = await lockAccount(trx, userId)
  const type = account?.account_type
  if (type === 'admin') {
    throw new Refusal('conflict', 'Administrators have every feature and cannot buy a plan.')
  }
  if (account === undefined || type === 'disabled' || !account.enabled) {
    throw new Refusal('conflict', 'Your account is disabled and cannot buy a plan.')
  }
  const [leaving] = await query(
    trx,
    'select 1 from users where id = ? and deletion_due_at is not null',
    [userId],
  )
  if (leaving !== undefined) {
    throw new Refusal('conflict', 'Your account is to be deleted and cannot buy a plan.')
  }
}

async function insertCheckout(
  trx: Knex.Transaction,
  userId: string,
  { wish, price, purpose, now }: { wish: CheckoutWish; price: Price; purpose: Purpose; now: Date },
): Promise<{ readonly id: string; readonly expires_at: Date }> {
  const partyId = wish.payer === null ? null : await addParty(trx, wish.payer)
  if (partyId !== null) await setAccountParty(trx, userId, partyId)
  const expires = new Date(now.getTime() + CHECKOUT_MS)
  const [row] = await query<{ id: string; expires_at: Date }>(
    trx,
    `insert into checkouts (user_id, provider, purpose, replaces_id, price_id, party_id, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning id, expires_at`,
    [userId, wish.provider, purpose.kind, purpose.replacesId, price.id, partyId, now, expires],
  )
  if (row === undefined) throw new Error('an inserted checkout has a row')
  return row
}

/** The customer of an earlier subscription at the provider, in the same mode. */
async function earlierCustomer(
  knex: Knex,
  userId: string,
  { name, realm }: PaymentProvider,
): Promise<string | null> {
  const [row] = await query<{ customer_id: string }>(
    knex,
    `select s.customer_id from subscriptions s
     join provider_prices p on p.price_id = s.price_id and p.provider = s.provider and p.realm = ?
     where s.user_id = ? and s.provider = ? and s.customer_id is not null order by s.id desc limit 1`,
    [realm, userId, name],
  )
  return row?.customer_id ?? null
}

const SUCCESS = {
  stripe: '/payment-success?session_id={CHECKOUT_SESSION_ID}',
  paypal: '/payment-success?provider=paypal',
} as const

/** Where a provider sends people after its page. */
export const returnPages = (
  publicUrl: URL,
  provider: CheckoutWish['provider'],
  { plan, billing }: Pick<Price, 'plan' | 'billing'>,
) => ({
  success: new URL(SUCCESS[provider], publicUrl),
  cancel: new URL(`/payment-cancelled?plan=${plan}&billing=${billing}`, publicUrl),
})

interface Order {
  readonly userId: string
  readonly email: string
  readonly wish: CheckoutWish
  readonly price: Price
  readonly purpose: Purpose
}

/**
 * Begins a payment for a purpose that was decided before.
 *
 * @returns the page of the provider
 * @throws Refusal `conflict`, `subscription-exists`, `payments-unavailable`, `provider-unavailable`, `rate-limited`
 */
export async function beginCheckout(services: Services, order: Order): Promise<string> {
  const { knex, config, now } = services
  const { userId, wish, price, purpose } = order
  const provider = configuredProvider(services.payments, wish.provider)
  await requireAllowance(services, 'checkouts-account', userId)
  return askProvider(provider.name, async () => {
    const priceProviderId = await priceToSell(knex, provider, price)
    const made = await knex.transaction(async (trx) => {
      await requirePayer(trx, userId)
      return insertCheckout(trx, userId, { wish, price, purpose, now: now() })
    })
    const pages = returnPages(config.publicUrl, provider.name, price)
    const { providerId, url } = await provider.createCheckout({
      checkoutId: made.id,
      priceProviderId,
      email: order.email,
      customerId: await earlierCustomer(knex, userId, provider),
      payer: wish.payer,
      startsAt: purpose.startsAt,
      successUrl: pages.success,
      cancelUrl: pages.cancel,
      expiresAt: made.expires_at,
    })
    await query(knex, 'update checkouts set provider_id = ?, url = ? where id = ?', [
      providerId,
      url,
      made.id,
    ])
    return url
  })
}

/** The address for receipts. */
export async function emailOf(knex: Knex, userId: string): Promise<string> {
  const [row] = await query<{ email: string }>(knex, 'select email from users where id = ?', [
    userId,
  ])
  if (row === undefined) throw new Error('the account of a session exists')
  return row.email
}

/** A payment that a client asks for. @returns the page of the provider, and the provider */
export async function createCheckout(
  services: Services,
  { account }: SessionPrincipal,
  body: NewCheckout,
): Promise<{ readonly url: string; readonly provider: 'stripe' | 'paypal' }> {
  const { knex } = services
  const email = await emailOf(knex, account.id)
  const wish = parseCheckout(body, { id: account.id, email })
  await knex.transaction(async (trx) => requirePayer(trx, account.id))
  configuredProvider(services.payments, wish.provider)
  const [live, next] = [
    await liveSubscription(knex, account.id),
    await nextSubscription(knex, account.id),
  ]
  const purpose = purposeOf(live, next, wish)
  const price = await currentPrice(knex, wish)
  const order = { userId: account.id, email, wish, price, purpose }
  return { url: await beginCheckout(services, order), provider: wish.provider }
}
