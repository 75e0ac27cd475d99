/** What Stripe does by itself at the end of a period: renew, end, or go to the next phase of a schedule. */
import { collect, endSubscription } from './collect.ts'
import { createInvoice } from './invoices.ts'
import { itemOf, periodEnd, periodLine, planOf } from './lines.ts'
import type { Schedule, Subscription } from './objects.ts'
import type { StripeWorld } from './world.ts'

const OVER = ['canceled', 'incomplete_expired']

/** Plans what happens at the end of the present period. Plans that were overtaken do nothing. */
export function planRenewal(world: StripeWorld, subscription: Subscription): void {
  const end = itemOf(subscription).current_period_end
  world.clock.at(end * 1000, () => {
    if (OVER.includes(subscription.status) || itemOf(subscription).current_period_end !== end)
      return
    renew(world, subscription)
  })
}

/** Ends the subscription at `cancel_at`, if that still holds when the time comes. */
export function planEnd(world: StripeWorld, subscription: Subscription): void {
  const { cancel_at: at } = subscription
  if (at === null) return
  world.clock.at(at * 1000, () => {
    if (OVER.includes(subscription.status) || subscription.cancel_at !== at) return
    endSubscription(world, subscription, 'cancellation_requested')
  })
}

function applyPhase(world: StripeWorld, subscription: Subscription, at: number): void {
  const schedule =
    subscription.schedule === null
      ? undefined
      : world.find('subscription_schedule', subscription.schedule)
  if (schedule?.status !== 'active') return
  const next = schedule.phases.find((phase) => phase.start_date === at)
  const priceId = next?.items[0]?.price
  if (next !== undefined && priceId !== undefined) {
    const item = itemOf(subscription)
    item.price = structuredClone(world.need('price', priceId))
    item['plan'] = planOf(item.price)
    schedule.current_phase = { start_date: next.start_date, end_date: next.end_date }
    world.emit('subscription_schedule.updated', schedule)
  }
  finishSchedule(world, schedule, subscription, at)
}

/** After its last phase a schedule releases the subscription or cancels it. */
function finishSchedule(
  world: StripeWorld,
  schedule: Schedule,
  subscription: Subscription,
  at: number,
): void {
  const last = schedule.phases.at(-1)
  if (last === undefined || last.end_date > at) return
  Object.assign(schedule, { status: 'completed', completed_at: at, current_phase: null })
  subscription.schedule = null
  world.emit('subscription_schedule.completed', schedule)
  if (schedule.end_behavior === 'cancel')
    endSubscription(world, subscription, 'cancellation_requested')
}

function renew(world: StripeWorld, subscription: Subscription): void {
  const item = itemOf(subscription)
  const { current_period_start: start, current_period_end: end } = item
  if (subscription.cancel_at_period_end || (subscription.cancel_at ?? Infinity) <= end) {
    endSubscription(world, subscription, 'cancellation_requested')
    return
  }
  applyPhase(world, subscription, end)
  if (OVER.includes(subscription.status)) return
  if (subscription.status === 'trialing') subscription.status = 'active'
  item.current_period_start = end
  item.current_period_end = periodEnd(end, item.price, subscription.billing_cycle_anchor)
  const waiting = world.pendingLines.get(subscription.id) ?? []
  world.pendingLines.delete(subscription.id)
  const lines = [...waiting, periodLine(world, item, item.price, end, item.current_period_end)]
  const invoice = createInvoice(world, subscription, {
    reason: 'subscription_cycle',
    lines,
    period: { start, end },
  })
  world.emit('customer.subscription.updated', subscription, {
    items: { data: [{ current_period_start: start, current_period_end: end }] },
  })
  planRenewal(world, subscription)
  const payAt = end * 1000 + world.settings.draftMs
  invoice['automatically_finalizes_at'] = Math.floor(payAt / 1000)
  world.clock.at(payAt, () => {
    if (invoice.status !== 'draft' || OVER.includes(subscription.status)) return
    collect(world, invoice, { asksCustomer: false })
  })
}
