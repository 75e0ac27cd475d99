/** The life of subscriptions over providers in memory and a real database. */
import { describe, expect, test } from 'vitest'
import { insertDomain } from '../../test/support/feed-world.ts'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { nextSubscription } from './live-subscription.ts'
import { applyPendingEvents } from './events.ts'
import { resumeRenewal, stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

describe.each(['stripe', 'paypal'] as const)('a subscription by %s', (provider) => {
  test('gives the plan once it is paid, with an invoice, a ledger entry and a receipt', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id, 'pro_monthly', provider)
    expect(await t.planOf(id)).toBe('pro')
    expect(await t.row(sub)).toMatchObject({ state: 'active', user_id: id, ends_at: null })
    expect(await t.subjects()).toEqual([expect.stringMatching(/^Receipt H-2026-\d{6}$/)])
    const invoices = await t.sql(
      `select i.kind, i.status, i.total_cents, l.amount_cents from invoices i
       join invoice_accounts a on a.invoice_id = i.id join ledger_entries l on l.invoice_id = i.id where a.user_id = ?`,
      id,
    )
    expect(invoices).toEqual([
      { kind: 'invoice', status: 'paid', total_cents: 1_000, amount_cents: 1_000 },
    ])
    expect(await t.sql(`select state from checkouts where user_id = ?`, id)).toEqual([
      { state: 'completed' },
    ])
  })

  test('is kept until the end of the period when it is cancelled, and can be resumed until then', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id, 'pro_monthly', provider)
    await t.subjects()
    expect(await stopRenewal(t.services, id)).toBe('done')
    const { state, ends_at, paid_until } = await t.row(sub)
    expect(state).toBe('canceled')
    expect(ends_at).toEqual(paid_until)
    await t.settle()
    expect(await t.subjects()).toEqual(['Your subscription is cancelled'])
    expect(await t.planOf(id)).toBe('pro')
    expect(await resumeRenewal(t.services, id)).toBe('done')
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'active', ends_at: null, stopped_by: null })
    await stopRenewal(t.services, id)
    await t.after(31 * DAY_MS)
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'canceled' })
    expect(await t.planOf(id)).toBe('free')
    expect(t[provider].subscription(sub).standing).toBe('ended')
    expect(await t.subjects()).toEqual(['Your subscription is cancelled', 'Your plan has ended'])
  })

  test('has 14 days of grace after a failed payment, with mails on days 0, 7 and 13', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id, 'pro_monthly', provider)
    await t.after(30 * DAY_MS)
    await t.subjects()
    t[provider].renew(sub, false)
    await t.settle()
    const { state, ends_at, first_failed_at } = await t.row(sub)
    expect(state).toBe('past_due')
    expect(ends_at?.getTime()).toBe((first_failed_at?.getTime() ?? 0) + 14 * DAY_MS)
    expect(await t.subjects()).toEqual(['Your payment failed'])
    await t.after(7 * DAY_MS)
    expect(await t.subjects()).toEqual([expect.stringMatching(/^Your plan ends on \d+ \w+ 2026$/)])
    await t.after(6 * DAY_MS)
    expect(await t.subjects()).toEqual(['Your plan ends tomorrow'])
    await t.after(0)
    expect(await t.subjects()).toEqual([])
    expect(await t.planOf(id)).toBe('pro')
    await t.after(DAY_MS)
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
    expect(await t.planOf(id)).toBe('free')
    expect(t[provider].subscription(sub)).toMatchObject({ standing: 'ended' })
    expect(t[provider].subscription(sub).invoices.at(-1)?.status).toBe('void')
    expect(await t.subjects()).toEqual(['Your plan has ended'])
  })
})

test('a missing payment of the last minute keeps the plan', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  t.stripe.renew(sub, false)
  await t.settle()
  t.pass(14 * DAY_MS)
  t.stripe.recover(sub)
  // Its event is lost.
  t.stripe.events.length = 0
  await t.after(DAY_MS)
  expect(await t.row(sub)).toMatchObject({ state: 'active', first_failed_at: null })
})

test('a plan that ends withholds domains over the limit, and they return with the next payment', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  const [plan] = await t.sql<{ domain_limit: number }>(
    `select domain_limit from plans where account_type = 'free'`,
  )
  const limit = plan?.domain_limit ?? 0
  for (let n = 0; n < limit + 2; n += 1)
    await insertDomain(t.world.knex, {
      userId: id,
      fqdn: `n${n}.w${id}.homing.test`,
      ipv4: '192.0.2.1',
    })
  const served = async () => {
    const [row] = await t.sql<{ count: number }>(
      'select count(*)::int from domains where user_id = ? and is_active',
      id,
    )
    return row?.count
  }
  t.stripe.refundThere(sub)
  await t.settle()
  expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'refunded' })
  expect(await t.planOf(id)).toBe('free')
  expect(await served()).toBe(limit)
  await t.buy(id)
  expect(await served()).toBe(limit + 2)
})

describe('what goes back', () => {
  test('a partial refund, and one of an older payment, end nothing', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.refundThere(sub)
    t.stripe.renew(sub)
    t.stripe.refundThere(sub, 400)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'active' })
    const notes = await t.sql(
      `select i.total_cents from invoices i join invoice_accounts a on a.invoice_id = i.id
       where a.user_id = ? and i.kind = 'credit_note' order by i.id`,
      id,
    )
    expect(notes).toEqual([{ total_cents: -1_000 }, { total_cents: -400 }])
  })

  test.each([
    ['lost', 'ended', 'free'],
    ['won', 'active', 'pro'],
  ] as const)('a dispute that is %s: %s', async (status, state, plan) => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.dispute(sub)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'disputed' })
    expect(await t.planOf(id)).toBe('pro')
    t.stripe.decide(sub, status)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state })
    expect(await t.planOf(id)).toBe(plan)
  })
})

describe('an account', () => {
  test('that pays twice keeps the first subscription; the second is cancelled, refunded and told', async () => {
    const { t } = use
    const { id } = await t.person()
    const first = t.stripe.pay(await t.checkout(id), 'pro_monthly')
    const second = t.paypal.pay(await t.checkout(id, { provider: 'paypal' }), 'pro_monthly')
    const before = t.now.getTime()
    await t.settle()
    const rows = [await t.row(first), await t.row(second)]
    expect(rows.filter(({ is_surplus }) => is_surplus)).toHaveLength(1)
    const surplus = rows.find(({ is_surplus }) => is_surplus)
    expect(surplus).toMatchObject({ state: 'ended', end_reason: 'surplus' })
    if (surplus === undefined) throw new Error('one is surplus')
    const { provider, provider_id } = surplus
    expect(t[provider].subscription(provider_id).standing).toBe('ended')
    expect(t[provider].subscription(provider_id).invoices[0]?.refunds).toHaveLength(1)
    expect(t.now.getTime() - before).toBeLessThan(30_000)
    expect(await t.planOf(id)).toBe('pro')
    expect(await t.subjects()).toEqual(
      expect.arrayContaining(['A second subscription was cancelled and refunded']),
    )
  })

  test('that is an administrator’s or disabled stays so, and has its plan afterwards', async () => {
    const { t } = use
    for (const kind of ['admin', 'disabled']) {
      const { id } = await t.person(kind)
      await t.buy(id, 'elite_monthly')
      expect(await t.planOf(id)).toBe(kind)
      await t.sql('update users set is_administrator = false, is_disabled = false where id = ?', id)
      await t.sql(`update users set account_type = 'elite' where id = ?`, id)
      expect(await t.sql('select source, plan from plan_grants where user_id = ?', id)).toEqual([
        { source: 'payment', plan: 'elite' },
      ])
    }
  })

  test('keeps a complimentary plan when the subscription ends', async () => {
    const { t } = use
    const { id } = await t.person('elite')
    const sub = await t.buy(id)
    expect(await t.planOf(id)).toBe('elite')
    t.stripe.endThere(sub)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'provider' })
    expect(await t.planOf(id)).toBe('elite')
  })
})

test('a price that is not ours is never granted, and administrators see it', async () => {
  const { t } = use
  const { id } = await t.person()
  t.stripe.pay(await t.checkout(id), 'price_of_somebody')
  await t.deliver()
  expect(await applyPendingEvents(t.services)).toEqual({ failed: 2 })
  expect(await t.planOf(id)).toBe('free')
  expect(await t.sql(`select distinct error from payment_events where state = 'failed'`)).toEqual([
    { error: expect.stringContaining('payments:setup') },
  ])
})

test('a subscription of nobody is recorded and changes nothing', async () => {
  const { t } = use
  const sub = t.stripe.pay('00000000-0000-0000-0000-000000000000', 'pro_monthly')
  await t.settle()
  expect(await t.sql('select 1 from subscriptions where provider_id = ?', sub)).toEqual([])
  expect(
    await t.sql(
      `select count(*)::int > 0 as is_recorded from payment_events where state = 'unknown-account'`,
    ),
  ).toEqual([{ is_recorded: true }])
})

test('an upgrade that replaces a subscription gives the plan at once and ends the old one without a refund', async () => {
  const { t } = use
  const { id } = await t.person()
  const old = await t.buy(id, 'pro_monthly', 'paypal')
  const replaces = (await t.row(old)).id
  const wish = { provider: 'paypal', price: 'elite_monthly', purpose: 'change', replaces } as const
  const startsAt = new Date(t.now.getTime() + 12 * DAY_MS)
  const other = t.paypal.pay(await t.checkout(id, wish), 'elite_monthly', { startsAt })
  await t.settle()
  expect(await t.planOf(id)).toBe('elite')
  expect(await t.row(old)).toMatchObject({ state: 'ended', end_reason: 'replaced' })
  expect(t.paypal.subscription(old)).toMatchObject({ standing: 'ended' })
  expect(t.paypal.subscription(old).invoices[0]?.refunds).toEqual([])
  expect(await t.row(other)).toMatchObject({ state: 'active', paid_until: startsAt })
})

test('a switch of the provider waits for the end of the old subscription', async () => {
  const { t } = use
  const { id } = await t.person()
  const old = await t.buy(id)
  const { id: replaces, period_end } = await t.row(old)
  const startsAt = period_end ?? t.now
  await stopRenewal(t.services, id)
  const wish = { provider: 'paypal', purpose: 'switch', replaces } as const
  const other = t.paypal.pay(await t.checkout(id, wish), 'pro_monthly', { startsAt })
  await t.settle()
  expect(await t.row(other)).toMatchObject({ state: 'incomplete' })
  expect(await nextSubscription(t.services.knex, id)).toMatchObject({ provider_id: other })
  expect(await t.row(old)).toMatchObject({ state: 'canceled' })
  await t.after(startsAt.getTime() - t.now.getTime() + 10 * 60_000)
  expect(await t.row(other)).toMatchObject({ state: 'active' })
  expect(await nextSubscription(t.services.knex, id)).toBeUndefined()
  expect((await t.row(old)).state).toBe('ended')
  expect(await t.planOf(id)).toBe('pro')
})
