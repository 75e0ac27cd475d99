/**
 * Subscriptions of an account that follow each other: the owner cancels one, and approves another at the other provider,
 * which begins when the first one ends. Nobody pays for both, so only one follows, and of the two only one renews.
 */
import type { Knex } from 'knex'
import type { JobQueue } from '../queue/job-queue.ts'
import { isFollowing, isLive, isWaiting } from './live-subscription.ts'
import { enqueueMails } from './mails-due.ts'
import { lockSubscriptions, type SubscriptionRow } from './rows.ts'
import { applyFact } from './write-subscription.ts'

/** A subscription that was read, and the others of its account. */
interface Succession {
  readonly before: SubscriptionRow | undefined
  readonly others: readonly SubscriptionRow[]
  /** The one that it was bought to follow. */
  readonly replacesId: string | null
}

/**
 * Applies the latest of the owner's decisions: an approval stops the subscription that it follows again, if that was
 * resumed meanwhile. A resumption at the provider's page ends what was to follow.
 *
 * @returns the row after it
 */
export async function settleSuccession(
  trx: Knex.Transaction,
  services: { readonly jobs: JobQueue },
  row: SubscriptionRow,
  { before, others, replacesId }: Succession,
  now: Date,
): Promise<SubscriptionRow> {
  const following = others.filter(isFollowing)
  if (isFollowing(row) && (before === undefined || !isFollowing(before))) {
    if (following.length > 0) return end(trx, row, 'surplus', now)
    const source = others.find((other) => other.id === replacesId && isLive(other))
    if (source?.stopped_by === null) await stop(trx, services, source, now)
  }
  const isResumed = isLive(row) && row.stopped_by === null && before?.stopped_by !== null
  if (before !== undefined && isResumed) {
    for (const other of following) await end(trx, other, 'canceled', now)
  }
  return row
}

const end = async (
  trx: Knex.Transaction,
  row: SubscriptionRow,
  reason: 'canceled' | 'surplus',
  now: Date,
) => applyFact(trx, row, { kind: 'end', reason }, { now, reason })

async function stop(
  trx: Knex.Transaction,
  services: { readonly jobs: JobQueue },
  before: SubscriptionRow,
  now: Date,
): Promise<void> {
  const after = await applyFact(
    trx,
    before,
    { kind: 'stop', by: 'owner' },
    { now, reason: 'owner' },
  )
  await enqueueMails(trx, services, { before, after, invoices: [], now })
}

/**
 * Ends the subscriptions of an account that wait for another one to end: nothing of them is paid. The caller has locked
 * the account.
 *
 * @returns their ids
 */
export async function endWaiting(
  trx: Knex.Transaction,
  userId: string,
  now: Date,
): Promise<string[]> {
  const waiting = (await lockSubscriptions(trx, userId)).filter(isWaiting)
  for (const row of waiting) await end(trx, row, 'canceled', now)
  return waiting.map(({ id }) => id)
}
