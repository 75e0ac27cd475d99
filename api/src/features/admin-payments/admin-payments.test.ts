/** What administrators see of payments, and what they do. */
import type {
  AdminLedgerEntry,
  AdminPaymentEvent,
  AdminSubscription,
  Problem,
} from '@homing/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { useStripeWorld } from '../../../test/support/stripe-world.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { query } from '../../database/sql.ts'

const use = useStripeWorld()
let boss: Caller
let ada: Caller

beforeAll(async () => {
  boss = await use.t.person('admin')
  ada = await use.t.person()
  await use.t.buy(ada)
})

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As `Reply.json`.
const list = async <Item>(what: string, filter: object = {}) => {
  const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const reply = await use.t.call(boss, 'GET', `/api/admin/${what}?${query}`)
  return { reply, items: reply.json<Item[]>() }
}
const subscriptionOf = async ({ id }: Caller) => {
  const { items } = await list<AdminSubscription>('subscriptions', { user_id: id })
  const [subscription] = items
  if (subscription === undefined) throw new Error('the account has a subscription')
  return subscription
}

describe('lists', () => {
  test('show a subscription with its price and its account', async () => {
    expect(await subscriptionOf(ada)).toMatchObject({
      user_id: ada.id,
      username: ada.username,
      provider: 'stripe',
      plan: 'pro',
      billing: 'monthly',
      state: 'active',
      amount_cents: 1_000,
      refunded_cents: 0,
      refundable_cents: 1_000,
    })
    const { reply } = await list('subscriptions', { q: ada.username.slice(1), state: 'active' })
    expect(reply.headers['content-range']).toBe('subscriptions 0-0/1')
    expect((await list('subscriptions', { plan: 'elite' })).items).toEqual([])
  })

  test('show the events of a subscription, and the ledger', async () => {
    const { id } = await subscriptionOf(ada)
    const { items } = await list<AdminPaymentEvent>('payment-events', { subscription_id: id })
    expect(items.map(({ state }) => state)).toContain('applied')
    expect(
      (await list<AdminPaymentEvent>('payment-events', { q: 'invoice.' })).items[0],
    ).toMatchObject({ provider: 'stripe', type: expect.stringMatching(/^invoice\./) })
    const ledger = await list<AdminLedgerEntry>('ledger', { kind: 'payment' })
    expect(ledger.items).toMatchObject([
      { amount_cents: 1_000, currency: 'USD', invoice_number: expect.stringMatching(/^H-2026-/) },
    ])
    expect((await list('ledger', { from: '2030-01-01T00:00:00Z' })).items).toEqual([])
  })

  test.each([
    ['subscriptions', { state: 'asleep' }, 'filter.state'],
    ['subscriptions', { provider: 'bank' }, 'filter.provider'],
    ['payment-events', { state: 'x' }, 'filter.state'],
    ['ledger', { kind: 'gift' }, 'filter.kind'],
    ['ledger', { from: 'yesterday' }, 'filter.from'],
  ])('%s refuse the filter %j', async (what, filter, field) => {
    const { reply } = await list(what, filter)
    expect(reply.json<Problem>().errors?.[0]).toMatchObject({ field })
  })
})

describe('the ledger', () => {
  const url = (what: string, filter: object) =>
    `/api/admin/ledger/${what}?filter=${encodeURIComponent(JSON.stringify(filter))}`
  const DAY = { from: '2019-01-01T00:00:00Z', to: '2019-01-02T00:00:00Z' }

  beforeAll(async () => {
    // More than a page of the export; two at the same microsecond, and one outside of the day.
    await query(
      use.t.world.knex,
      `insert into ledger_entries (happened_at, provider, kind, amount_cents, currency, provider_id, reason)
       select '2019-01-01'::timestamptz + (n / 2) * interval '1 microsecond', 'paypal',
              case when n % 3 = 0 then 'refund' else 'payment' end, case when n % 3 = 0 then -5 else 1005 end, 'EUR',
              case when n = 0 then '=HYPERLINK("x")' else 'old_' || n end, case when n = 0 then '=1+1' end
       from generate_series(0, 2000) n
       union all select '2019-01-02', 'paypal', 'payment', 1, 'EUR', 'later', null`,
    )
  })

  test('is summed by provider, currency and kind', async () => {
    const reply = await use.t.call(boss, 'GET', url('totals', DAY))
    expect(reply.json()).toEqual([
      {
        provider: 'paypal',
        currency: 'EUR',
        kind: 'payment',
        entries: 1_334,
        amount_cents: 1_340_670,
      },
      { provider: 'paypal', currency: 'EUR', kind: 'refund', entries: 667, amount_cents: -3_335 },
    ])
    const one = await use.t.call(boss, 'GET', url('totals', { ...DAY, q: 'HYPERLINK' }))
    expect(one.json()).toMatchObject([{ kind: 'refund', entries: 1 }])
    expect((await use.t.call(boss, 'GET', url('totals', { from: 'x' }))).status).toBe(422)
  })

  test('is exported as a file that a spreadsheet sums and does not run', async () => {
    const { t } = use
    const reply = await t.call(boss, 'GET', url('export', DAY))
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="ledger.csv"',
    })
    const [head, first, second, ...rest] = reply.text.split('\r\n')
    expect(head).toBe('time,provider,kind,amount,currency,provider_id,invoice_number,reason')
    expect(first).toBe(
      `2019-01-01T00:00:00.000Z,paypal,refund,-0.05,EUR,"'=HYPERLINK(""x"")",,'=1+1`,
    )
    expect(second).toBe('2019-01-01T00:00:00.000Z,paypal,payment,10.05,EUR,old_1,,')
    const ids = [second, ...rest].map((line) => line?.split(',')[5])
    const all = Array.from({ length: 2_000 }, (_, n) => `old_${n + 1}`)
    expect(ids).toEqual([...all, undefined])

    const stripe = await t.call(boss, 'GET', url('export', { provider: 'stripe' }))
    expect(stripe.text).toMatch(/,stripe,payment,10\.00,USD,\w+,H-2026-\d{6},\r\n/)
    const nothing = await t.call(boss, 'GET', url('export', { q: 'nobody' }))
    expect(nothing.text.split('\r\n')).toHaveLength(2)
    const wrong = await t.call(boss, 'GET', url('export', { kind: 'gift' }))
    expect(wrong.json()).toMatchObject({ status: 422, errors: [{ field: 'filter.kind' }] })
  })
})

test('a subscription is read again at Stripe', async () => {
  const { t } = use
  const eve = await t.person()
  await t.buy(eve)
  // Changed there, and the event was lost.
  t.server.cardsOf(await t.customerOf(eve), 'declines')
  t.server.advance(40 * 86_400_000)
  const { id } = await subscriptionOf(eve)
  const reply = await t.call(boss, 'POST', `/api/admin/subscriptions/${id}/refetch`)
  expect(reply.json()).toMatchObject({ state: 'past_due', provider_status: 'past_due' })
  expect((await t.call(boss, 'POST', '/api/admin/subscriptions/999/refetch')).status).toBe(404)
})

/** The reasons of the refunds of a subscription in the ledger. */
async function reasonsOf(subscriptionId: string) {
  const rows = await query<{ reason: string | null }>(
    use.t.world.knex,
    `select l.reason from ledger_entries l join invoice_accounts a using (invoice_id)
     where a.subscription_id = ? and l.kind = 'refund' order by l.id`,
    [subscriptionId],
  )
  return rows.map(({ reason }) => reason)
}

describe('a refund', () => {
  test('pays the last payment back, ends the plan, and keeps the reason', async () => {
    const { t } = use
    const bob = await t.person()
    await t.buy(bob)
    const { id } = await subscriptionOf(bob)
    const url = `/api/admin/subscriptions/${id}/refund`
    const reply = await t.call(boss, 'POST', url, { reason: 'The service was down.' })
    expect(reply.json()).toMatchObject({
      state: 'ended',
      refunded_cents: 1_000,
      refundable_cents: 0,
    })
    expect(await t.planOf(bob)).toBe('free')
    expect(await reasonsOf(id)).toEqual(['The service was down.'])
    const { items } = await list<AdminLedgerEntry>('ledger', { kind: 'refund', provider: 'stripe' })
    expect(items.map(({ reason }) => reason)).toContain('The service was down.')
    const again = await t.call(boss, 'POST', url, { reason: 'Once more.' })
    expect(again.json()).toMatchObject({ status: 409, code: 'conflict' })
    await t.settle()
    expect(t.server.books.lines().filter((line) => line.startsWith('refund'))).toHaveLength(1)
  })

  test('for goodwill pays the last payment back, and leaves the plan as it is', async () => {
    const { t } = use
    const fay = await t.person()
    await t.buy(fay)
    const { id } = await subscriptionOf(fay)
    const url = `/api/admin/subscriptions/${id}/refund`
    const reply = await t.call(boss, 'POST', url, { reason: 'Two days down.', ends_plan: false })
    expect(reply.json()).toMatchObject({ state: 'active', refunded_cents: 1_000 })
    await t.settle()
    expect(await t.planOf(fay)).toBe('pro')
    t.server.advance(32 * 86_400_000)
    await t.settle()
    expect(await t.planOf(fay)).toBe('pro')
    expect(await subscriptionOf(fay)).toMatchObject({ refundable_cents: 1_000 })
    const next = await t.call(boss, 'POST', url, { reason: 'Asked for it.' })
    expect(next.json()).toMatchObject({ state: 'ended', refunded_cents: 2_000 })
  })

  test('that the provider makes later keeps the reason', async () => {
    const { t } = use
    const gus = await t.person()
    await t.buy(gus)
    const { id } = await subscriptionOf(gus)
    const url = `/api/admin/subscriptions/${id}/refund`
    t.server.faults.fail5xx(20, /POST .*refunds/)
    const reply = await t.call(boss, 'POST', url, { reason: 'Bought twice.' })
    expect([502, 503]).toContain(reply.status)
    expect(await reasonsOf(id)).toEqual([])
    t.server.faults.clear()
    t.server.advance(120_000)
    await t.settle()
    expect(await reasonsOf(id)).toEqual(['Bought twice.'])
  })

  test('needs a reason', async () => {
    const { t } = use
    const { id } = await subscriptionOf(ada)
    const url = `/api/admin/subscriptions/${id}/refund`
    expect((await t.call(boss, 'POST', url, { reason: ' ' })).status).toBe(422)
  })
})
