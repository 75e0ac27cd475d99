/**
 * Does what remains to be done at the providers. A duty is repeated until the provider confirms it: each call has the
 * duty's id as its key, and a refund is looked for before it is made, so a call that timed out after the provider had
 * acted does nothing twice.
 */
import { PAYMENT_PROVIDERS } from '@homing/openapi/vocabulary'
import { query } from '../database/sql.ts'
import { lockAccount } from '../feed/lock-order.ts'
import type { ApplyServices } from './apply.ts'
import { claimDuties, type DutyRow, finishDuty, postponeDuty } from './duties.ts'
import { errorText } from './events.ts'
import {
  type PaymentProvider,
  type ProviderName,
  ProviderTrouble,
  type ReadSubscription,
} from './provider.ts'
import { refundedCents } from './refunded-cents.ts'
import { lockSubscription } from './rows.ts'
import { providerOf, syncSubscription } from './sync.ts'
import { applyFact } from './write-subscription.ts'

interface Target {
  readonly provider: ProviderName
  readonly provider_id: string
  readonly user_id: string | null
}

/** Duties per run. */
const LIMIT = 50

/** How many duties were done, put off after trouble, and refused by the provider. */
export interface DutiesDone {
  readonly done: number
  readonly postponed: number
  readonly refused: number
}

/** Does the duties that are due, those of one subscription in their order. @param names the providers at which they are done */
export async function doDuties(
  services: ApplyServices,
  names: readonly ProviderName[] = PAYMENT_PROVIDERS,
): Promise<DutiesDone> {
  const duties = await claimDuties(services.knex, names, { now: services.now(), limit: LIMIT })
  const counts = { done: 0, postponed: 0, refused: 0 }
  const bySubscription = Map.groupBy(duties, ({ subscription_id }) => subscription_id)
  await Promise.all(
    Array.from(bySubscription.values(), async (those) => {
      for (const duty of those) counts[await doDuty(services, duty)] += 1
    }),
  )
  return counts
}

/**
 * Does one duty now.
 *
 * @returns `refused`: the provider does not do it; its error is kept for administrators
 */
export async function doDuty(
  services: ApplyServices,
  duty: DutyRow,
): Promise<'done' | 'postponed' | 'refused'> {
  const { knex, now, log } = services
  try {
    const target = await targetOf(services, duty)
    const provider = providerOf(services, target.provider)
    await act(provider, target.provider_id, duty)
    await confirm(services, target, duty)
    await finishDuty(knex, duty.id, now())
    await readAfter(services, target, duty)
    return 'done'
  } catch (error) {
    if (error instanceof ProviderTrouble && error.kind === 'refused') {
      await refuse(services, duty, error)
      await readRefused(services, duty)
      return 'refused'
    }
    if (!(error instanceof ProviderTrouble))
      log.error({ err: error, duty: duty.id }, 'a duty failed')
    await postponeDuty(knex, duty, errorText(error), now())
    return 'postponed'
  }
}

/** Reads the result. The duty is done, whatever comes of this: the clock reads again what could not be read now. */
async function readAfter(services: ApplyServices, target: Target, duty: DutyRow): Promise<void> {
  const { knex, now, log } = services
  try {
    await syncSubscription(services, target.provider, target.provider_id)
  } catch (error) {
    if (error instanceof ProviderTrouble) {
      log.warn({ duty: duty.id, code: error.code }, `a subscription was not read: ${error.message}`)
    } else log.error({ err: error, duty: duty.id }, 'a subscription was not applied')
    await query(knex, 'update subscriptions set next_refetch_at = ? where id = ?', [
      now(),
      duty.subscription_id,
    ])
  }
}

/** What the provider refused was not as it was thought to be. */
async function readRefused(services: ApplyServices, duty: DutyRow): Promise<void> {
  await readAfter(services, await targetOf(services, duty), duty)
}

async function targetOf({ knex }: ApplyServices, duty: DutyRow): Promise<Target> {
  const [target] = await query<Target>(
    knex,
    'select provider, provider_id, user_id from subscriptions where id = ?',
    [duty.subscription_id],
  )
  if (target === undefined) throw new Error('a duty belongs to a subscription')
  return target
}

async function act(provider: PaymentProvider, providerId: string, duty: DutyRow): Promise<void> {
  const key = `duty-${duty.id}`
  switch (duty.kind) {
    case 'cancel':
      return provider.cancelAtPeriodEnd(providerId, key)
    case 'resume':
      return provider.resume(providerId, key)
    case 'end':
      return provider.endNow(providerId, key)
    case 'refund':
      return refund(provider, providerId, duty, key)
  }
}

/** What was refunded of a payment. Providers forget keys after some days, so this is looked at first. */
function refundedOf(read: ReadSubscription | undefined, paymentId: string): number {
  const invoice = read?.invoices.find((each) => each.paymentId === paymentId)
  return invoice === undefined ? 0 : refundedCents(invoice)
}

async function refund(
  provider: PaymentProvider,
  providerId: string,
  { payment_id: paymentId, amount_cents: amountCents, currency, reason }: DutyRow,
  key: string,
): Promise<void> {
  if (paymentId === null || amountCents === null || currency === null) {
    throw new Error('a refund has a payment and an amount')
  }
  const read = await provider.read(providerId)
  const paid = read?.invoices.find((each) => each.paymentId === paymentId)?.paidCents ?? amountCents
  const left = Math.min(amountCents, paid - refundedOf(read, paymentId))
  if (left <= 0) return
  await provider.refund({ paymentId, amountCents: left, currency, reason }, key)
}

/** A stop or its end is confirmed, so that later reads can tell when the owner changed it at the provider. */
async function confirm(services: ApplyServices, target: Target, duty: DutyRow): Promise<void> {
  if (duty.kind !== 'cancel' && duty.kind !== 'resume') return
  const { knex, now } = services
  const kind = duty.kind === 'cancel' ? 'stopped' : 'resumed'
  await knex.transaction(async (trx) => {
    if (target.user_id !== null) await lockAccount(trx, target.user_id)
    const row = await lockSubscription(trx, target.provider, target.provider_id)
    if (row === undefined) return
    await applyFact(trx, row, { kind, at: now() }, { now: now(), reason: duty.reason })
  })
}

const RECORD_REFUSAL = `
  insert into payment_events (provider, event_id, type, object_id, object_kind, state, error, subscription_id, received_at, due_at)
  select provider, ?, ?, provider_id, 'subscription', 'failed', ?, id, ?, ? from subscriptions where id = ?
  on conflict (provider, event_id) do nothing`

/** Administrators see the error among the subscription's events. The next read says whether the call is still needed. */
async function refuse(
  { knex, now, log }: ApplyServices,
  duty: DutyRow,
  error: ProviderTrouble,
): Promise<void> {
  const { id, kind, subscription_id } = duty
  const { code, message } = error
  log.error({ duty: id, kind, code }, `a duty was refused: ${message}`)
  const at = now()
  await knex.transaction(async (trx) => {
    const refused = await query(
      trx,
      'update payment_duties set done_at = ?, error = ? where id = ? and done_at is null returning 1',
      [at, message, id],
    )
    if (refused.length === 0) return
    const event = [`homing-duty-${id}`, `homing.${kind}`, message, at, at, subscription_id]
    await query(trx, RECORD_REFUSAL, event)
  })
}
