/** What the life of an account means for its subscription. Nothing here calls a provider: jobs do. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import { isLive, isWaiting, wish } from './live-subscription.ts'
import { lockSubscriptions } from './rows.ts'
import { stopReasonOf } from './stop-reason.ts'
import { applyFact } from './write-subscription.ts'

/**
 * Brings the renewal in line with the account: it stops when the account is to be deleted or is blocked, and it goes on
 * when its owner comes back from a requested deletion. A ban that is lifted resumes nothing: the owner does. The caller
 * has changed the account in this transaction, which locks it; a job calls the provider.
 */
export async function settleRenewal(
  trx: Knex.Transaction,
  services: { readonly jobs: JobQueue },
  userId: string,
  now: Date,
): Promise<void> {
  const rows = await lockSubscriptions(trx, userId)
  const live = rows.find(isLive)
  const by = await stopReasonOf(trx, userId)
  if (by !== undefined && live?.stopped_by === null) {
    await wish(trx, services, userId, { fact: { kind: 'stop', by }, now, reason: by })
  } else if (by === undefined && live?.stopped_by === 'deletion') {
    await wish(trx, services, userId, { fact: { kind: 'resume' }, now, reason: 'deletion' })
  }
  // One that waits for its turn would take its first payment from an account that is leaving or blocked.
  for (const row of rows.filter(isWaiting)) {
    if (by !== undefined) await applyFact(trx, row, { kind: 'stop', by }, { now, reason: by })
    else if (row.stopped_by === 'deletion')
      await applyFact(trx, row, { kind: 'resume' }, { now, reason: 'deletion' })
  }
}

/**
 * Ends what is left of an account that is removed now: its subscriptions end at once, and what names its owner goes. The
 * caller has locked the account, and deletes it in this transaction.
 */
export async function leaveAccount(
  trx: Knex.Transaction,
  userId: string,
  now: Date,
): Promise<void> {
  const reason = 'account-deleted'
  for (const row of await lockSubscriptions(trx, userId)) {
    await applyFact(trx, row, { kind: 'end', reason }, { now, reason })
  }
  await query(
    trx,
    `update subscriptions set payment_method = null, card_expires_at = null, payer_digest = null, mailed = '{}',
       checkout_id = null where user_id = ?`,
    [userId],
  )
  const parties = await query<{ party_id: string }>(
    trx,
    `delete from account_billing where user_id = ? returning party_id`,
    [userId],
  )
  const bought = await query<{ party_id: string | null }>(
    trx,
    'select distinct party_id from checkouts where user_id = ? and party_id is not null',
    [userId],
  )
  // A page of the provider can still be open. A payer who uses it gets the payment back, which needs the row, but no owner.
  await query(
    trx,
    `update checkouts set user_id = null, party_id = null, url = null where user_id = ?`,
    [userId],
  )
  const ids = [...parties, ...bought].flatMap(({ party_id }) => party_id ?? [])
  await query(
    trx,
    `delete from billing_parties p where id = any (?::bigint[])
       and not exists (select from invoices i where i.party_id = p.id)`,
    [ids],
  )
}
