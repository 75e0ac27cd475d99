/** Many subscriptions, with events that come in any order, again, late, and while the provider fails. */
import { expect, test } from 'vitest'
import { byForm } from '../../../test/test-form.ts'
import { DAY_MS, type PaymentWorld, usePaymentWorld } from '../../test/support/payment-world.ts'
import type { MemoryProvider } from '../../test/support/memory-provider.ts'
import { seeded } from '../../test/contract/hostile/measure.ts'
import { runClock } from '../jobs/payments.ts'
import { doDuties } from './do-duties.ts'
import { applyPendingEvents } from './events.ts'
import type { ProviderEvent } from './provider.ts'
import { keptOf, type SubscriptionRow } from './rows.ts'
import { next } from './state/next.ts'
import { type Kept, UNKNOWN } from './state/subscription.ts'

const use = usePaymentWorld()
const SUBSCRIPTIONS = byForm({ short: 16, long: 1_000 })
const FACTS = 20

/** What can happen to a subscription at the provider. */
const HAPPENINGS: readonly ((provider: MemoryProvider, id: string) => void)[] = [
  (provider, id) => provider.renew(id),
  (provider, id) => provider.renew(id, false),
  (provider, id) => provider.recover(id),
  (provider, id) => provider.recover(id),
  (provider, id) => provider.stopThere(id),
  (provider, id) => provider.resumeThere(id),
  (provider, id) => provider.reprice(id, 'elite_monthly'),
  (provider, id) => provider.reprice(id, 'pro_monthly'),
  (provider, id) => provider.dispute(id),
  (provider, id) => provider.decide(id, 'won'),
]
const RARE: readonly ((provider: MemoryProvider, id: string) => void)[] = [
  (provider, id) => provider.refundThere(id),
  (provider, id) => provider.endThere(id),
  (provider, id) => provider.decide(id, 'lost'),
]

/** The events three times each, in any order. */
function storm(events: readonly ProviderEvent[], random: () => number): ProviderEvent[] {
  return [...events, ...events, ...events]
    .map((event) => ({ event, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ event }) => event)
}

/** Delivers half of what is late now, and the rest another time; the jobs run in between, and the provider fails at times. */
async function deliverSome(t: PaymentWorld, late: ProviderEvent[], random: () => number) {
  const now = late.splice(0, Math.ceil(late.length / 2))
  await t.deliver(storm(now, random))
  for (const provider of [t.stripe, t.paypal])
    if (random() < 0.5) provider.faults.push('down', 'lost')
  await Promise.all([
    applyPendingEvents(t.services),
    applyPendingEvents(t.services),
    doDuties(t.services),
  ])
  t.pass(DAY_MS / 20)
}

/** The state that follows from what the provider knows at the end, and from nothing else. */
function stateOf(t: PaymentWorld, row: SubscriptionRow): Kept {
  const read = { ...t[row.provider].subscription(row.provider_id), readAt: t.now }
  return next(UNKNOWN, { kind: 'read', read }, t.now).after
}

test(`${SUBSCRIPTIONS} subscriptions with ${FACTS} facts each end as in order, and the ledger is the books`, async () => {
  const { t } = use
  const random = seeded(18)
  const subscriptions: { id: string; provider: MemoryProvider }[] = []
  const late: ProviderEvent[] = []
  const collect = () => late.push(...t.stripe.events.splice(0), ...t.paypal.events.splice(0))
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) {
    const person = await t.person()
    const provider = n % 2 === 0 ? t.stripe : t.paypal
    const checkout = await t.checkout(person.id, { provider: provider.name })
    subscriptions.push({ id: provider.pay(checkout, 'pro_monthly'), provider })
  }
  for (let fact = 0; fact < FACTS; fact += 1) {
    for (const { id, provider } of subscriptions) {
      const isRare = fact > FACTS / 2 && random() < 0.05
      const list = isRare ? RARE : HAPPENINGS
      list[Math.floor(random() * list.length)]?.(provider, id)
    }
    collect()
    await deliverSome(t, late, random)
  }
  await t.deliver(storm(late, random))
  t.stripe.faults.length = 0
  t.paypal.faults.length = 0
  await t.settle()
  await runClock(t.world.services)
  await t.settle()

  const rows = await t.sql<SubscriptionRow>('select * from subscriptions order by id')
  expect(rows).toHaveLength(SUBSCRIPTIONS)
  for (const row of rows) {
    const kept = keptOf(row)
    const wanted = stateOf(t, row)
    // What ended stays so: a plan that our clock ended does not return with a late payment, which is paid back.
    const isOver = kept.state === 'ended'
    expect([row.id, kept.state]).toEqual([row.id, isOver ? 'ended' : wanted.state])
    const granted = ['active', 'past_due', 'canceled', 'disputed'].includes(row.state)
    const [price] = await t.sql<{ plan: string }>(
      'select plan from plan_prices where id = ?',
      row.price_id,
    )
    expect(await t.planOf(row.user_id ?? '')).toBe(granted ? price?.plan : 'free')
  }
  for (const provider of [t.stripe, t.paypal]) {
    const books = provider.books.reduce((sum, { amountCents }) => sum + amountCents, 0)
    expect(await t.ledgerSum(provider.name)).toBe(books)
    const entries = await t.sql<{ count: number }>(
      'select count(*)::int from ledger_entries where provider = ?',
      provider.name,
    )
    expect(entries).toEqual([{ count: provider.books.length }])
  }
  await expectWholeNumbers(t)
  expect(await t.sql(`select distinct state from payment_events`)).toEqual([{ state: 'applied' }])
}, 600_000)

/** Numbers of invoices have no gaps, and every paid invoice and refund has one. */
async function expectWholeNumbers(t: PaymentWorld): Promise<void> {
  const numbers = await t.sql<{ year: string; count: number; last: number }>(
    `select substr(number, 3, 4) as year, count(*)::int, max(substr(number, 8)::int) as last from invoices group by 1`,
  )
  for (const { count, last } of numbers) expect(last).toBe(count)
  const books = [...t.stripe.books, ...t.paypal.books]
  const counts = await t.sql<{ kind: string; count: number }>(
    `select kind, count(*)::int from invoices where status <> 'open' and status <> 'void' group by kind order by kind`,
  )
  expect(counts).toEqual([
    { kind: 'credit_note', count: books.filter(({ kind }) => kind === 'refund').length },
    { kind: 'invoice', count: books.filter(({ kind }) => kind === 'payment').length },
  ])
}
