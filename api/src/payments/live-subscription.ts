/** The subscription of an account that has a plan now, and wishes for it. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import { enqueueMails } from './mails-due.ts'
import { COLUMNS, lockSubscriptions, type SubscriptionRow } from './rows.ts'
import { type Fact, GRANTING } from './state/subscription.ts'
import { applyFact } from './write-subscription.ts'

/** The subscription that the account pays for now; undefined: the account has no such subscription. */
export async function liveSubscription(
  db: Knex,
  userId: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(
    db,
    `select ${COLUMNS} from subscriptions
     where user_id = ? and not is_surplus and state = any (?::text[]) order by id limit 1`,
    [userId, [...GRANTING]],
  )
  return row
}

/** The one that the owner has approved, and that begins when the present one ends; undefined: none was approved. */
export async function nextSubscription(
  db: Knex,
  userId: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(
    db,
    `select ${COLUMNS} from subscriptions
     where user_id = ? and not is_surplus and state = 'incomplete' and waits_until is not null and started_at is not null
     order by id limit 1`,
    [userId],
  )
  return row
}

export const isLive = ({ state, is_surplus }: SubscriptionRow) => GRANTING.has(state) && !is_surplus

/** It was bought to begin when another one ends. */
export const isWaiting = ({ state, waits_until }: SubscriptionRow) =>
  state === 'incomplete' && waits_until !== null

/** A fact that does not come from a provider. */
export type Wish = Exclude<Fact, { kind: 'read' }>

/** Applies a wish to the live subscription of an account. The caller has locked the account. */
export async function wish(
  trx: Knex.Transaction,
  services: { readonly jobs: JobQueue },
  userId: string,
  { fact, now, reason }: { readonly fact: Wish; readonly now: Date; readonly reason: string },
): Promise<SubscriptionRow | undefined> {
  const before = (await lockSubscriptions(trx, userId)).find(isLive)
  if (before === undefined) return undefined
  const after = await applyFact(trx, before, fact, { now, reason })
  await enqueueMails(trx, services, { before, after, invoices: [], now })
  return after
}
