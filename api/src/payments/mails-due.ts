/**
 * Which mails follow from a change of a subscription. They are jobs of the transaction that changed it, so each is sent
 * once. `mailed` holds, for each kind, what the last mail was about.
 */
import type { Knex } from 'knex'
import type { JobQueue } from '../queue/job-queue.ts'
import type { PaymentMail } from '../queue/payment-mail.ts'
import type { InvoiceChange } from './invoices.ts'
import type { SubscriptionRow } from './rows.ts'
import type { EndReason } from './state/subscription.ts'
import { updateSubscription } from './write-subscription.ts'

interface Changed {
  readonly before: SubscriptionRow | undefined
  readonly after: SubscriptionRow
  readonly invoices: readonly InvoiceChange[]
  readonly now: Date
}

/** A mail, and what it is about: the same kind about the same thing is sent once. */
interface Due {
  readonly event: PaymentMail['event']
  readonly about: string
  readonly invoiceId?: string
}

/** Ends that the owner hears of in another way, or that were never a plan. */
const SILENT_ENDS: ReadonlySet<EndReason> = new Set([
  'never-paid',
  'replaced',
  'surplus',
  'account-deleted',
])

function dueAfter({ before, after, invoices, now }: Changed): Due[] {
  const due: Due[] = []
  for (const { kind, invoiceId } of invoices) {
    if (kind === 'paid' && !after.is_surplus) {
      due.push({ event: 'receipt', about: invoiceId, invoiceId })
    }
    if (kind === 'refunded') {
      const event = after.is_surplus ? 'surplus-refunded' : 'refunded'
      due.push({ event, about: invoiceId, invoiceId })
    }
  }
  if (after.state === 'past_due' && after.first_failed_at !== null) {
    due.push({ event: 'payment-failed', about: after.first_failed_at.toISOString() })
  }
  const isNewlyStopped = after.state === 'canceled' && before?.state !== 'canceled'
  if (isNewlyStopped && after.stopped_by !== 'deletion' && after.ends_at !== null) {
    due.push({ event: 'cancelled', about: now.toISOString() })
  }
  if (after.state === 'ended' && before?.state !== 'ended' && isToldEnd(after)) {
    due.push({ event: 'ended', about: after.id })
  }
  return due
}

const isToldEnd = ({ end_reason }: SubscriptionRow) =>
  end_reason !== null && !SILENT_ENDS.has(end_reason)

/** Adds the jobs of the mails that are due after a change. An account that was deleted gets none. */
export async function enqueueMails(
  trx: Knex.Transaction,
  services: { readonly jobs: JobQueue },
  changed: Changed,
): Promise<void> {
  await enqueueDue(trx, services, changed.after, dueAfter(changed), changed.now)
}

/** Adds the jobs of mails that were not sent yet. The caller has locked the subscription. */
export async function enqueueDue(
  trx: Knex.Transaction,
  { jobs }: { readonly jobs: JobQueue },
  { id, user_id: userId, mailed }: Pick<SubscriptionRow, 'id' | 'user_id' | 'mailed'>,
  due: readonly Due[],
  now: Date,
): Promise<number> {
  const fresh = due.filter(({ event, about }) => mailed[event] !== about)
  if (userId === null || fresh.length === 0) return 0
  for (const { event, invoiceId } of fresh) {
    const job = { userId, event, subscriptionId: id, invoiceId: invoiceId ?? null }
    await jobs.enqueue(trx, 'mail', { kind: 'payment', ...job, at: now.toISOString() })
  }
  const about = Object.fromEntries(fresh.map(({ event, about: what }) => [event, what]))
  await updateSubscription(trx, id, { mailed: { ...mailed, ...about } })
  return fresh.length
}
