/**
 * The money-back guarantee: the first payment of the first subscription of an account, in full, within 168 hours, once for
 * each account and payer. Renewals and changes of plan are excluded. Who used it is kept as keyed digests only.
 */
import { REFUND_HOURS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { Refusal } from '../rules/errors.ts'
import { applyRead, type ApplyServices } from './apply.ts'
import { liveSubscription } from './live-subscription.ts'
import { payerDigest, payerDigests } from './payer-digest.ts'
import type { ReadInvoice, ReadSubscription } from './provider.ts'
import type { SubscriptionRow } from './rows.ts'
import { endWaiting } from './succession.ts'
import { providerOf } from './sync.ts'
import { endSubscription, type WishOutcome } from './wishes.ts'

const HOUR_MS = 3_600_000

/** When the guarantee of a payment ends. */
const refundEnd = (paidAt: Date): Date => new Date(paidAt.getTime() + REFUND_HOURS * HOUR_MS)

type RefundServices = Pick<ApplyServices, 'knex' | 'config' | 'now'>

const FORMER = `
  select 1 from subscriptions where user_id = ? and id < ? and not is_surplus and started_at is not null limit 1`

/** Whether the guarantee was used by the account or by its payer. Also what a deleted account used counts for its payer. */
async function isUsed(
  { knex, config }: Pick<RefundServices, 'knex' | 'config'>,
  row: SubscriptionRow,
): Promise<boolean> {
  const account = payerDigests(config, 'account', row.user_id ?? '')
  const payer = row.payer_digest === null ? [] : [row.payer_digest.toString('hex')]
  return isUsedByOneOf(knex, [...account, ...payer])
}

async function isUsedByOneOf(knex: Knex, digests: readonly string[]): Promise<boolean> {
  const used = await query(
    knex,
    `select 1 from used_refunds where encode(digest, 'hex') = any (?::text[]) limit 1`,
    [digests],
  )
  return used.length > 0
}

/** Until when the subscription can be refunded; null: it cannot. */
export async function refundableUntil(
  services: RefundServices,
  row: SubscriptionRow,
): Promise<Date | null> {
  if (row.started_at === null || row.user_id === null || row.is_surplus) return null
  const until = refundEnd(row.started_at)
  if (until <= services.now()) return null
  const former = await query(services.knex, FORMER, [row.user_id, row.id])
  return former.length > 0 || (await isUsed(services, row)) ? null : until
}

export interface MoneyBack {
  readonly amountCents: number
  readonly currency: string
  /** `stored`: the plan has ended, and a job refunds the payment as soon as the provider responds. */
  readonly outcome: WishOutcome
}

/**
 * Refunds the first payment of an account and ends its plan at once. The payment is read at the provider first.
 *
 * @param onDecided called before the plan ends: from then on, a job does what the provider does not answer to
 * @throws Refusal `no-subscription`, `conflict` when the guarantee does not apply; ProviderTrouble when the read fails
 */
export async function refundFirstPayment(
  services: ApplyServices,
  userId: string,
  onDecided: () => void = () => undefined,
): Promise<MoneyBack> {
  const known = await liveSubscription(services.knex, userId)
  if (known === undefined) throw noSubscription()
  const read = await providerOf(services, known.provider).read(known.provider_id)
  if (read !== undefined) await applyRead(services, read)
  const row = await liveSubscription(services.knex, userId)
  const first = firstPayment(read)
  if (row === undefined || row.id !== known.id) throw noSubscription()
  const until = await refundableUntil(services, row)
  if (first === undefined || until === null || refundEnd(first.paidAt) <= services.now()) {
    throw notCovered()
  }
  if (read !== undefined && (await isUsedByPayer(services, read))) throw notCovered()
  const { paymentId, paidCents: amountCents, currency } = first
  const refunds = [{ kind: 'refund', paymentId, amountCents, currency } as const]
  const outcome = await endSubscription(services, {
    subscriptionId: row.id,
    reason: 'refunded',
    refunds,
    async within(trx) {
      await use(trx, services, userId, read)
      // An owner who wants the money back does not want to pay again when the period would have ended.
      await endWaiting(trx, userId, services.now())
      onDecided()
    },
  })
  if (outcome === undefined) throw noSubscription()
  return { amountCents, currency, outcome }
}

type Paid = ReadInvoice & { readonly paidAt: Date; readonly paymentId: string }

/** The first payment, if nothing of it went back. */
function firstPayment(read: ReadSubscription | undefined): Paid | undefined {
  return read?.invoices.find(
    (invoice): invoice is Paid =>
      invoice.kind === 'first' &&
      invoice.paidAt !== null &&
      invoice.paymentId !== null &&
      invoice.paidCents > 0 &&
      invoice.refunds.length === 0 &&
      invoice.disputes.length === 0,
  )
}

/** Marks the guarantee as used. Of two calls at once, one succeeds. @throws Refusal `conflict` */
async function use(
  trx: Knex.Transaction,
  { config, now }: RefundServices,
  userId: string,
  read: ReadSubscription | undefined,
): Promise<void> {
  const digests = [payerDigest(config, 'account', userId)]
  if (read !== undefined && read.payer !== null) {
    digests.push(payerDigest(config, read.provider, read.payer))
  }
  for (const digest of digests.toSorted()) await useOnce(trx, digest, now())
}

/** Who used it while the former key was in use has a digest with that key. */
async function isUsedByPayer(
  { knex, config }: RefundServices,
  { provider, payer }: Pick<ReadSubscription, 'provider' | 'payer'>,
): Promise<boolean> {
  const digests = payer === null ? [] : payerDigests(config, provider, payer)
  return isUsedByOneOf(knex, digests)
}

async function useOnce(trx: Knex.Transaction, digest: string, at: Date): Promise<void> {
  const rows = await query(
    trx,
    `insert into used_refunds (digest, used_at) values (decode(?, 'hex'), ?) on conflict do nothing returning 1`,
    [digest, at],
  )
  if (rows.length === 0) throw notCovered()
}

const noSubscription = () => new Refusal('no-subscription', 'Your account has no subscription.')

const notCovered = () =>
  new Refusal(
    'conflict',
    `The money-back guarantee covers the first payment of your first subscription, within ${REFUND_HOURS / 24} days, once. Please contact support.`,
  )
