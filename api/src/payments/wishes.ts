/**
 * What an owner or an administrator wants of a subscription, at once. The wish is stored with a duty, so a
 * provider that is away delays it and does not lose it.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { lockAccount } from '../feed/lock-order.ts'
import { settlePaidPlan } from './account-plan.ts'
import type { ApplyServices } from './apply.ts'
import { doDuty } from './do-duties.ts'
import { addDuties, type DutyRow } from './duties.ts'
import { enqueueMails } from './mails-due.ts'
import { type Wish, wish } from './live-subscription.ts'
import { COLUMNS, type SubscriptionRow } from './rows.ts'
import type { Duty, EndReason } from './state/subscription.ts'
import { endWaiting } from './succession.ts'
import { applyFact } from './write-subscription.ts'

/** `done`: the provider has confirmed it. `stored`: a job repeats it until then. `refused`: the provider does not do it. */
export type WishOutcome = 'done' | 'stored' | 'refused'

/**
 * Does the duties of a subscription now, once, also those that a job would repeat later: the owner asks now. What fails is
 * left to the job.
 *
 * @param kinds those that the outcome is about
 */
export async function doOpenDuties(
  services: ApplyServices,
  subscriptionId: string,
  kinds: readonly Duty['kind'][] = ['cancel', 'resume', 'end', 'refund'],
): Promise<WishOutcome> {
  const { knex, now } = services
  const lease = new Date(now().getTime() + 90_000)
  const duties = await query<DutyRow>(
    knex,
    `update payment_duties set due_at = ?, attempts = attempts + 1 where id in (
       select id from payment_duties where subscription_id = ? and done_at is null and kind = any (?::text[])
       order by id for update skip locked)
     returning id, subscription_id, kind, payment_id, amount_cents, currency, reason, attempts`,
    [lease, subscriptionId, kinds],
  )
  let outcome: WishOutcome = 'done'
  for (const duty of duties.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const each = await doDuty(services, duty)
    if (each === 'refused') return 'refused'
    if (each === 'postponed') outcome = 'stored'
  }
  return outcome
}

/**
 * Stops the renewal of an account's subscription: the owner keeps the plan until its end. One that waits for that end to
 * begin ends now, also when the other one has ended earlier: nothing of it is paid. A second call changes nothing.
 *
 * @returns undefined: the account has no subscription
 */
export async function stopRenewal(
  services: ApplyServices,
  userId: string,
): Promise<WishOutcome | undefined> {
  return wishNow(services, userId, { kind: 'stop', by: 'owner' }, 'owner')
}

/**
 * Lets the subscription renew again.
 *
 * @returns undefined: the account has no subscription
 */
export async function resumeRenewal(
  services: ApplyServices,
  userId: string,
): Promise<WishOutcome | undefined> {
  return wishNow(services, userId, { kind: 'resume' }, 'owner')
}

async function wishNow(
  services: ApplyServices,
  userId: string,
  fact: Wish,
  reason: string,
): Promise<WishOutcome | undefined> {
  const { knex, now } = services
  const changed = await knex.transaction(async (trx) => {
    await lockAccount(trx, userId)
    const at = now()
    const live = await wish(trx, services, userId, { fact, now: at, reason })
    const waiting = fact.kind === 'stop' ? await endWaiting(trx, userId, at) : []
    return live === undefined ? waiting : [live.id, ...waiting]
  })
  if (changed.length === 0) return undefined
  const outcomes: WishOutcome[] = []
  const kinds = fact.kind === 'resume' ? (['resume'] as const) : (['cancel', 'end'] as const)
  for (const id of changed) outcomes.push(await doOpenDuties(services, id, kinds))
  return (
    outcomes.find((each) => each === 'refused') ??
    outcomes.find((each) => each === 'stored') ??
    'done'
  )
}

interface End {
  readonly subscriptionId: string
  readonly reason: EndReason
  /** What is paid back; empty: nothing. */
  readonly refunds: readonly Extract<Duty, { kind: 'refund' }>[]
  /** What belongs to the same transaction, before the subscription is locked; an error undoes everything. */
  readonly within?: (trx: Knex.Transaction) => Promise<void>
}

/**
 * Ends a subscription at once, takes its plan, and pays back: for the money-back guarantee and for administrators.
 *
 * @returns undefined: it does not exist
 */
export async function endSubscription(
  services: ApplyServices,
  { subscriptionId, reason, refunds, within }: End,
): Promise<WishOutcome | undefined> {
  const { knex, now } = services
  const isKnown = await knex.transaction(async (trx) => {
    const [found] = await query<{ user_id: string | null }>(
      trx,
      'select user_id from subscriptions where id = ?',
      [subscriptionId],
    )
    if (found === undefined) return false
    if (found.user_id !== null) await lockAccount(trx, found.user_id)
    await within?.(trx)
    const [before] = await query<SubscriptionRow>(
      trx,
      `select ${COLUMNS} from subscriptions where id = ? for update`,
      [subscriptionId],
    )
    if (before === undefined) return false
    const at = now()
    const after = await applyFact(trx, before, { kind: 'end', reason }, { now: at, reason })
    await addDuties(trx, before.id, refunds, { reason, now: at })
    await enqueueMails(trx, services, { before, after, invoices: [], now: at })
    if (before.user_id !== null) await settlePaidPlan(trx, services, before.user_id, at)
    return true
  })
  return isKnown ? doOpenDuties(services, subscriptionId) : undefined
}
