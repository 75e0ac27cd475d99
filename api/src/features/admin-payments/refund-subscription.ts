/** An administrator reads a subscription at its provider, or pays its last payment back. */
import type { AdminRefund, AdminSubscription } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import {
  askProvider,
  CALL_LIMIT_MS,
  configuredProvider,
  requireConfirmed,
} from '../../payments/answer-trouble.ts'
import { applyRead } from '../../payments/apply.ts'
import { addDuties } from '../../payments/duties.ts'
import { type ProviderName, type ReadInvoice } from '../../payments/provider.ts'
import { refundedCents } from '../../payments/refunded-cents.ts'
import { lockSubscription } from '../../payments/rows.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { doOpenDuties, endSubscription, type WishOutcome } from '../../payments/wishes.ts'
import { parseReason } from '../../rules/owner-texts.ts'
import { Refusal } from '../../rules/errors.ts'
import { findSubscription } from './subscription-list.ts'

/**
 * Reads a subscription at its provider and applies it.
 *
 * @throws Refusal `not-found`, `payments-unavailable`, `provider-unavailable`
 */
export async function refetch(services: Services, id: string): Promise<AdminSubscription> {
  await readNow(services, await findSubscription(services.knex, id))
  return findSubscription(services.knex, id)
}

async function readNow(services: Services, { provider: name, provider_id }: AdminSubscription) {
  const provider = configuredProvider(services.payments, name)
  return askProvider(name, async () => {
    const read = await provider.read(provider_id)
    if (read === undefined) {
      throw new Refusal('conflict', 'The provider does not know this subscription.')
    }
    const applied = await applyRead(services, read)
    if (applied.outcome === 'failed') throw new Refusal('conflict', applied.error)
    return read
  })
}

type Paid = ReadInvoice & { readonly paymentId: string; readonly paidAt: Date }

const leftOf = (invoice: ReadInvoice) => invoice.paidCents - refundedCents(invoice)

/** The latest payment of which something is left. */
function latestPayment(invoices: readonly ReadInvoice[]): Paid {
  const paid = invoices
    .filter((each): each is Paid => each.paymentId !== null && each.paidAt !== null)
    .toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime())
    .at(-1)
  if (paid === undefined || leftOf(paid) <= 0) {
    throw new Refusal('conflict', 'The last payment of this subscription was refunded already.')
  }
  if (paid.disputes.some(({ status }) => status === 'open')) {
    throw new Refusal(
      'conflict',
      'The last payment is disputed: decide the dispute at the provider.',
    )
  }
  return paid
}

/** Pays back, and leaves the subscription as it is. */
async function refundOnly(
  services: Services,
  { provider, provider_id }: { readonly provider: ProviderName; readonly provider_id: string },
  refund: Parameters<typeof addDuties>[2],
): Promise<WishOutcome> {
  const { knex, now } = services
  const id = await knex.transaction(async (trx) => {
    const [owner] = await query<{ user_id: string | null }>(
      trx,
      'select user_id from subscriptions where provider = ? and provider_id = ?',
      [provider, provider_id],
    )
    if (owner !== undefined && owner.user_id !== null) await lockAccount(trx, owner.user_id)
    const row = await lockSubscription(trx, provider, provider_id)
    if (row === undefined) throw new Refusal('not-found', 'This subscription does not exist.')
    await addDuties(trx, row.id, refund, { reason: 'administrator', now: now() })
    return row.id
  })
  return doOpenDuties(services, id)
}

/**
 * Refunds the last payment, and ends the subscription at once unless `ends_plan` is false.
 *
 * @throws Refusal `not-found`, `conflict`, `validation-failed`, `provider-unavailable`
 */
export async function refundLatest(
  services: Services,
  id: string,
  { reason: given, ends_plan = true }: AdminRefund,
): Promise<AdminSubscription> {
  const note = parseReason(given, 'Enter a reason for the refund.')
  const subscription = await findSubscription(services.knex, id)
  const begin = performance.now()
  const read = await readNow(services, subscription)
  const latest = latestPayment(read.invoices)
  const { paymentId, currency } = latest
  const amountCents = leftOf(latest)
  const payment = { paymentId, amountCents, currency }
  const refund = { kind: 'refund', ...payment, endsPlan: ends_plan, note } as const
  const isLive = (await findSubscription(services.knex, id)).state !== 'ended'
  const work =
    ends_plan && isLive
      ? endSubscription(services, {
          subscriptionId: id,
          reason: 'administrator',
          refunds: [refund],
        })
      : refundOnly(services, subscription, [refund])
  const limitMs = CALL_LIMIT_MS - (performance.now() - begin)
  await requireConfirmed(subscription.provider, work, { limitMs })
  return findSubscription(services.knex, id)
}
