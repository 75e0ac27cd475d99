/**
 * Applies what was read of one subscription, in one transaction: the subscription, its duties, the plan of the account,
 * the checkout, invoices, the ledger, and the jobs of mails. A read that began before the last one changes nothing.
 *
 * Locks: the account, its subscriptions, the numbers of invoices, then what a change of plan locks.
 */
import type { Knex } from 'knex'
import type { WorkerConfig } from '../config/worker.ts'
import type { SharedServices } from '../credentials/services.ts'
import type { SecretKeys } from '../rules/derived-key.ts'
import { query } from '../database/sql.ts'
import { lockAccount } from '../feed/lock-order.ts'
import { settlePaidPlan } from './account-plan.ts'
import { beginOf, livesOnCredit } from './credit.ts'
import { addDuties, goodwillPayments, openDuties } from './duties.ts'
import { type InvoiceChange, writeInvoices } from './invoices.ts'
import { partyFor } from './parties.ts'
import { payerDigest } from './payer-digest.ts'
import { enqueueMails } from './mails-due.ts'
import type { PaymentProviders, ReadSubscription } from './provider.ts'
import { pricesOf, type ReadPrices } from './read-prices.ts'
import { nextRefetch } from './refetch-time.ts'
import {
  checkoutAt,
  checkoutById,
  type CheckoutRow,
  columnsOf,
  keptOf,
  lockSubscription,
  lockSubscriptions,
  type SubscriptionRow,
} from './rows.ts'
import { dutiesOfEnded, next } from './state/next.ts'
import { GRANTING, type Step, UNKNOWN } from './state/subscription.ts'
import { stopReasonOf } from './stop-reason.ts'
import { settleSuccession } from './succession.ts'
import { applyFact, insertSubscription, updateSubscription } from './write-subscription.ts'

export interface ApplyServices extends Pick<SharedServices, 'knex' | 'jobs' | 'now' | 'log'> {
  readonly config: Pick<WorkerConfig, 'publicUrl' | 'productName' | 'payments' | keyof SecretKeys>
  readonly payments: PaymentProviders
}

/** What became of a read. `stale`: a later one was applied before, so nothing of this one counts, also not its hints. */
export type Applied =
  | { readonly outcome: 'applied' | 'stale'; readonly subscriptionId: string }
  | { readonly outcome: 'unknown-account' }
  | { readonly outcome: 'failed'; readonly error: string; readonly subscriptionId: string | null }

/** Applies a read. It never calls a provider. */
export async function applyRead(services: ApplyServices, read: ReadSubscription): Promise<Applied> {
  const { knex, payments } = services
  const realm = payments[read.provider]?.realm ?? ''
  const found = await ownerOf(knex, read)
  if (found === undefined) return { outcome: 'unknown-account' }
  return knex.transaction(async (trx) => {
    const account = found.userId === null ? undefined : await lockAccount(trx, found.userId)
    const userId = account?.id ?? null
    const all = userId === null ? [] : await lockSubscriptions(trx, userId)
    const before = await lockSubscription(trx, read.provider, read.providerId)
    const others = all.filter(({ id }) => id !== before?.id)
    const { checkout } = found
    const prices = await pricesOf(trx, { read, before, others, checkout, realm })
    if (prices === undefined) return unknownPrice(trx, services, read, before)
    if (before !== undefined && isStale(before, read, services.now())) {
      return { outcome: 'stale', subscriptionId: before.id }
    }
    const goodwill = new Set(before === undefined ? [] : await goodwillPayments(trx, before.id))
    const change = { read, ...prices, userId, checkout, before, others, goodwill }
    const subscriptionId = await writeAll(trx, services, change)
    return { outcome: 'applied', subscriptionId }
  })
}

/** Clocks of two computers differ a little. A time further ahead is of a clock that was wrong, and orders nothing. */
const SKEW_MS = 60_000

const isOfWrongClock = ({ refetched_at }: SubscriptionRow, now: Date) =>
  refetched_at !== null && refetched_at.getTime() > now.getTime() + SKEW_MS

const isStale = (row: SubscriptionRow, { readAt }: ReadSubscription, now: Date) =>
  row.refetched_at !== null && readAt <= row.refetched_at && !isOfWrongClock(row, now)

/** The plan goes on until the end of what was paid for a price of ours, and for the time of grace. */
async function unknownPrice(
  trx: Knex.Transaction,
  services: ApplyServices,
  read: ReadSubscription,
  before: SubscriptionRow | undefined,
): Promise<Applied> {
  if (before !== undefined) {
    const now = services.now()
    const after = await applyFact(trx, before, { kind: 'unpriced' }, { now, reason: 'unpaid' })
    await enqueueMails(trx, services, { before, after, invoices: [], now })
    if (before.user_id !== null) await settlePaidPlan(trx, services, before.user_id, now)
  }
  const error =
    read.priceProviderId === null
      ? 'The subscription does not have exactly one price.'
      : `The price ${read.priceProviderId} is unknown. Run payments:setup, or correct the subscription at the provider.`
  return { outcome: 'failed', error, subscriptionId: before?.id ?? null }
}

interface Owner {
  /** Null: the account was deleted. */
  readonly userId: string | null
  readonly checkout: CheckoutRow | undefined
}

/** The account of a subscription: of our row, or of the checkout that the provider kept for us. */
async function ownerOf(knex: Knex, read: ReadSubscription): Promise<Owner | undefined> {
  const [known] = await query<{ user_id: string | null; checkout_id: string | null }>(
    knex,
    'select user_id, checkout_id from subscriptions where provider = ? and provider_id = ?',
    [read.provider, read.providerId],
  )
  const checkoutId = known?.checkout_id ?? read.checkoutId
  // At PayPal, a checkout is a subscription: its id is ours to know, also when PayPal does not repeat our id.
  const checkout =
    checkoutId === null
      ? await checkoutAt(knex, read.provider, read.providerId)
      : await checkoutById(knex, checkoutId)
  if (known !== undefined) return { userId: known.user_id, checkout }
  return checkout !== undefined && hasMade(checkout, read)
    ? { userId: checkout.user_id, checkout }
    : undefined
}

/**
 * Whether a checkout has made a subscription. One of another provider has not. At PayPal, a checkout is one subscription:
 * payers can create others there, with our id and with a first payment in years. A session of Stripe has an id of its own.
 */
const hasMade = ({ provider, provider_id }: CheckoutRow, read: ReadSubscription) =>
  provider === read.provider &&
  (provider !== 'paypal' || provider_id === null || provider_id === read.providerId)

interface Change extends Owner, ReadPrices {
  readonly read: ReadSubscription
  readonly before: SubscriptionRow | undefined
  /** The other subscriptions of the account. */
  readonly others: readonly SubscriptionRow[]
  /** Payments whose refund ends no plan. */
  readonly goodwill: ReadonlySet<string>
}

/** What the state machine says, and what it means for the other subscriptions of the account. */
interface Decision extends Step {
  readonly isSurplus: boolean
  /** The one that this one takes the place of. */
  readonly replaced: SubscriptionRow | undefined
}

async function decide(trx: Knex.Transaction, change: Change, now: Date): Promise<Decision> {
  const { read, before, checkout, userId, goodwill } = change
  const open = before === undefined ? new Set() : await openDuties(trx, before.id)
  const waitsUntil = beginOf(change)
  const isResuming = open.has('resume')
  const known = before === undefined ? UNKNOWN : keptOf(before)
  const kept =
    before !== undefined && isOfWrongClock(before, now) ? { ...known, readAt: null } : known
  const step = next(kept, { kind: 'read', read, waitsUntil, isResuming, goodwill }, now)
  const isSurplus = before?.is_surplus ?? false
  if (isSurplus || !GRANTING.has(step.after.state)) {
    return { ...step, isSurplus, replaced: undefined }
  }
  const other = change.others.find(({ state, is_surplus }) => GRANTING.has(state) && !is_surplus)
  const isReplacement =
    checkout?.purpose === 'change' || (checkout?.purpose === 'switch' && other?.stopped_by !== null)
  if (userId !== null && other === undefined) return { ...step, isSurplus, replaced: undefined }
  if (other !== undefined && isReplacement && checkout.replaces_id === other.id) {
    return { ...step, isSurplus, replaced: other }
  }
  // A second subscription, or one of an account that was deleted while it paid: everything is paid back.
  const ended = next(step.after, { kind: 'end', reason: 'surplus' }, now)
  const duties = [...ended.duties, ...dutiesOfEnded(ended.after, read)]
  return { after: ended.after, duties, isSurplus: true, replaced: undefined }
}

async function writeAll(
  trx: Knex.Transaction,
  services: ApplyServices,
  change: Change,
): Promise<string> {
  const now = services.now()
  const decision = await decide(trx, change, now)
  if (decision.replaced !== undefined) {
    const replaced = { kind: 'end', reason: 'replaced' } as const
    await applyFact(trx, decision.replaced, replaced, { now, reason: 'replaced' })
  }
  const written = await writeRow(trx, services, change, decision)
  const stopped = await stopForAccount(trx, written, now)
  const { before, others, checkout } = change
  const succession = { before, others, replacesId: checkout?.replaces_id ?? null }
  const row = await settleSuccession(trx, services, stopped, succession, now)
  await closeCheckout(trx, change, row)
  const invoices = await writeMoney(trx, change, row)
  await endCredit(trx, services, change, row)
  await enqueueMails(trx, services, { before, after: row, invoices, now })
  if (change.userId !== null) await settlePaidPlan(trx, services, change.userId, now)
  return row.id
}

async function writeRow(
  trx: Knex.Transaction,
  { config, now }: ApplyServices,
  { read, price, nextPrice, before, checkout, userId }: Change,
  { after, duties, isSurplus }: Decision,
): Promise<SubscriptionRow> {
  // Nothing of a deleted account comes back.
  const isKnown = userId !== null
  const digest =
    isKnown && read.payer !== null ? payerDigest(config, read.provider, read.payer) : null
  const fields = {
    ...columnsOf(after),
    price_id: price.id,
    provider_status: read.providerStatus,
    customer_id: read.customerId ?? before?.customer_id ?? null,
    is_surplus: isSurplus,
    period_start: read.periodStart ?? before?.period_start ?? null,
    period_end: read.periodEnd ?? before?.period_end ?? null,
    next_price_id: nextPrice === undefined || nextPrice.id === price.id ? null : nextPrice.id,
    payment_method: isKnown ? (read.paymentMethod ?? before?.payment_method ?? null) : null,
    card_expires_at: isKnown ? read.cardExpiresAt : null,
    next_refetch_at: nextRefetch(after, read, now()),
    ...(digest !== null && { payer_digest: `\\x${digest}` }),
  }
  const row =
    before === undefined
      ? await insertSubscription(trx, {
          ...fields,
          user_id: userId,
          provider: read.provider,
          provider_id: read.providerId,
          checkout_id: checkout?.id ?? null,
        })
      : await updateSubscription(trx, before.id, fields)
  await addDuties(trx, row.id, duties, { reason: after.endReason ?? 'stop', now: now() })
  return row
}

/** Nobody keeps a plan on the credit of a payment that went back. */
async function endCredit(
  trx: Knex.Transaction,
  services: ApplyServices,
  change: Change,
  row: SubscriptionRow,
): Promise<void> {
  const credit = await livesOnCredit(trx, row, change)
  if (credit === undefined) return
  const { row: before, reason } = credit
  const now = services.now()
  const after = await applyFact(trx, before, { kind: 'end', reason }, { now, reason })
  await enqueueMails(trx, services, { before, after, invoices: [], now })
}

/** An account that is to be deleted or that is blocked does not renew, also when that happened while it paid. */
async function stopForAccount(
  trx: Knex.Transaction,
  row: SubscriptionRow,
  now: Date,
): Promise<SubscriptionRow> {
  if (row.user_id === null || row.stopped_by !== null || !GRANTING.has(row.state)) return row
  const by = await stopReasonOf(trx, row.user_id)
  return by === undefined ? row : applyFact(trx, row, { kind: 'stop', by }, { now, reason: by })
}

async function closeCheckout(
  trx: Knex.Transaction,
  { checkout, read }: Change,
  row: SubscriptionRow,
): Promise<void> {
  if (checkout === undefined || checkout.state === 'completed') return
  // One that waits for its turn is approved.
  const isApproved = read.standing !== 'incomplete' && row.end_reason !== 'never-paid'
  if (!isApproved) return
  await query(trx, `update checkouts set state = 'completed' where id = ?`, [checkout.id])
}

async function writeMoney(
  trx: Knex.Transaction,
  { read, checkout, userId }: Change,
  row: SubscriptionRow,
): Promise<InvoiceChange[]> {
  let party: Promise<string> | undefined
  return writeInvoices(
    trx,
    {
      provider: read.provider,
      userId,
      subscriptionId: row.id,
      priceId: row.price_id,
      isStarted: row.started_at !== null && row.state !== 'incomplete',
      async party() {
        const { billingDetails } = read
        const checkoutPartyId = checkout?.party_id ?? null
        party ??= partyFor(trx, { userId, checkoutPartyId, billingDetails })
        return party
      },
    },
    read.invoices,
  )
}
