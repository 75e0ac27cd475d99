/** The subscription of an account that has a plan now, and wishes for it. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import { enqueueMails } from './mails-due.ts'
import { COLUMNS, lockSubscriptions, type SubscriptionRow } from './rows.ts'
import { type Fact, GRANTING } from './state/subscription.ts'
import { applyFact } from './write-subscription.ts'

/** The first subscription of an account under a condition. @param where SQL, a constant */
export async function firstSubscription(
  db: Knex,
  userId: string,
  where: string,
  order: 'id' | 'id desc' = 'id',
): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(
    db,
    `select ${COLUMNS} from subscriptions where user_id = ? and not is_surplus and ${where} order by ${order} limit 1`,
    [userId],
  )
  return row
}

const IS_GRANTING = `state in (${[...GRANTING].map((state) => `'${state}'`).join(', ')})`

/** The subscription that gives the account its plan; undefined: the account pays for no plan. */
export const liveSubscription = async (db: Knex, userId: string) =>
  firstSubscription(db, userId, IS_GRANTING)

/** The one that the owner has approved, and that begins when the present one ends; undefined: no other one was approved. */
export const nextSubscription = async (db: Knex, userId: string) =>
  firstSubscription(
    db,
    userId,
    `state = 'incomplete' and waits_until is not null and started_at is not null`,
  )

export const isLive = ({ state, is_surplus }: SubscriptionRow) => GRANTING.has(state) && !is_surplus

/** It was bought to begin when another one ends. */
export const isWaiting = ({ state, waits_until }: SubscriptionRow) =>
  state === 'incomplete' && waits_until !== null

/** It waits, and its owner has approved it. */
export const isFollowing = (row: SubscriptionRow) => isWaiting(row) && row.started_at !== null

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
