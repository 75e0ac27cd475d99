/** What follows from time: reminders, lost events, checkouts that nobody finishes, and retention. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { expire } from '../jobs/expire.ts'
import { runClock } from '../jobs/payments.ts'
import { addParty, setAccountParty } from './parties.ts'
import { paymentFigures } from './figures.ts'
import { stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

describe('reminders', () => {
  test('an annual renewal is announced once, 14 days before', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id, 'pro_annual')
    const yearEnd = new Date(t.now.getTime() + 365 * DAY_MS)
    t.stripe.subscription(sub).periodEnd = yearEnd
    t.stripe.reprice(sub, 'pro_annual')
    await t.settle()
    await t.subjects()
    await t.after(350 * DAY_MS)
    expect(await t.subjects()).toEqual([])
    await t.after(DAY_MS)
    await t.after(DAY_MS)
    expect(await t.subjects()).toEqual([expect.stringMatching(/^Your plan renews on .* 2027$/)])
    expect(t.mailer.sent).toEqual([])
  })

  test('a monthly renewal is not announced; a card that expires before it is, once', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.subscription(sub).cardExpiresAt = new Date(t.now.getTime() + 20 * DAY_MS)
    await t.subjects()
    await t.after(DAY_MS + 1)
    await t.after(DAY_MS + 1)
    expect(await t.subjects()).toEqual(['Your card expires soon'])
  })

  test('a cancelled subscription is not announced', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id, 'pro_annual')
    t.stripe.stopThere(sub)
    await t.settle()
    await t.subjects()
    await t.after(20 * DAY_MS)
    expect(await t.subjects()).toEqual([])
    await t.after(20 * DAY_MS)
  })
})

test('the daily read finds what no event told', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  t.stripe.renew(sub)
  t.stripe.endThere(sub)
  t.stripe.events.length = 0
  await t.after(DAY_MS + 60_000)
  expect(await t.row(sub)).toMatchObject({ state: 'ended' })
  expect(await t.planOf(id)).toBe('free')
  expect(await t.ledgerSum('stripe')).toBe(
    t.stripe.books.reduce((sum, { amountCents }) => sum + amountCents, 0),
  )
})

describe('a checkout', () => {
  /** A checkout that was made at the provider. */
  async function begun(userId: string) {
    const { t } = use
    const checkoutId = await t.checkout(userId)
    const url = new URL('https://dns.test/')
    const { providerId } = await t.stripe.createCheckout({
      checkoutId,
      priceProviderId: 'pro_monthly',
      email: 'a@b.test',
      customerId: null,
      payer: null,
      startsAt: null,
      successUrl: url,
      cancelUrl: url,
      expiresAt: t.now,
    })
    await t.sql('update checkouts set provider_id = ? where id = ?', providerId, checkoutId)
    return checkoutId
  }
  const stateOf = async (id: string) => {
    const [row] = await use.t.sql<{ state: string }>('select state from checkouts where id = ?', id)
    return row?.state
  }

  test('that nobody finishes expires here and at the provider, and is deleted after 30 days', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkout = await begun(id)
    await t.after(DAY_MS - 60_000)
    expect(await stateOf(checkout)).toBe('open')
    await t.after(60_000)
    expect(await stateOf(checkout)).toBe('expired')
    expect(t.stripe.acted['expire']).toBe(1)
    await expire(t.world.knex, new Date(t.now.getTime() + 30 * DAY_MS))
    expect(await stateOf(checkout)).toBeUndefined()
  })

  test('that was paid, and whose events were lost, gives the plan when its time is over', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkout = await begun(id)
    t.stripe.pay(checkout, 'pro_monthly')
    t.stripe.events.length = 0
    await t.after(DAY_MS)
    expect(await t.planOf(id)).toBe('pro')
    expect(await stateOf(checkout)).toBe('completed')
  })
})

test('a grant with an end goes at its end', async () => {
  const { t } = use
  const { id } = await t.person()
  const until = new Date(t.now.getTime() + DAY_MS)
  await t.sql(
    `insert into plan_grants (user_id, source, plan, until) values (?, 'trial', 'pro', ?)`,
    id,
    until,
  )
  await t.sql(`update users set account_type = 'pro' where id = ?`, id)
  await t.after(DAY_MS - 60_000)
  expect(await t.planOf(id)).toBe('pro')
  await t.after(60_000)
  expect(await t.planOf(id)).toBe('free')
})

test('an invoice has the party of the account and the tax that its price includes', async () => {
  const { t } = use
  const { id } = await t.person()
  await t.sql(`insert into tax_rates values ('AT', 2000, 'VAT') on conflict do nothing`)
  const party = await addParty(t.world.knex, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@mail.test',
    address: 'Street 1',
    city: 'Town',
    state: '',
    zipCode: '1010',
    country: 'AT',
  })
  await setAccountParty(t.world.knex, id, party)
  const sub = await t.buy(id)
  t.stripe.refundThere(sub)
  await t.settle()
  const invoices = await t.sql(
    `select i.kind, i.status, i.total_cents, i.tax_cents, i.tax_basis_points, i.party_id, c.kind as corrects
     from invoices i join invoice_accounts a on a.invoice_id = i.id left join invoices c on c.id = i.corrects_id
     where a.user_id = ? order by i.id`,
    id,
  )
  const both = { tax_basis_points: 2_000, party_id: party }
  expect(invoices).toEqual([
    {
      kind: 'invoice',
      status: 'refunded',
      total_cents: 1_000,
      tax_cents: 167,
      corrects: null,
      ...both,
    },
    {
      kind: 'credit_note',
      status: 'paid',
      total_cents: -1_000,
      tax_cents: -167,
      corrects: 'invoice',
      ...both,
    },
  ])
})

test('events are kept for 400 days, and invoices with their parties for ten years', async () => {
  const { t } = use
  const { id } = await t.person()
  await t.buy(id)
  await t.sql('update payment_events set received_at = ?', t.now)
  await t.sql('update invoices set issued_at = ?', t.now)
  await t.sql('update ledger_entries set happened_at = ?', t.now)
  const count = async () => {
    const [row] = await t.sql<{
      events: number
      invoices: number
      parties: number
      entries: number
    }>(
      `select (select count(*)::int from payment_events) as events, (select count(*)::int from invoices) as invoices,
              (select count(*)::int from billing_parties) as parties, (select count(*)::int from ledger_entries) as entries`,
    )
    return row
  }
  const before = await count()
  await expire(t.world.knex, new Date(t.now.getTime() + 399 * DAY_MS))
  expect(await count()).toEqual(before)
  await expire(t.world.knex, new Date(t.now.getTime() + 401 * DAY_MS))
  expect(await count()).toEqual({ ...before, events: 0 })
  await t.sql('delete from account_billing')
  await t.sql('delete from checkouts')
  await expire(t.world.knex, new Date(t.now.getTime() + 10 * 366 * DAY_MS))
  expect(await count()).toEqual({ events: 0, invoices: 0, parties: 0, entries: 0 })
})

test('the figures count states, and say how long a duty waits', async () => {
  const { t } = use
  const { id } = await t.person()
  await t.buy(id)
  t.stripe.isDown = true
  await stopRenewal(t.services, id)
  t.pass(90_000)
  const figures = await paymentFigures(t.world.knex, t.now)
  expect(figures).toMatchObject({ openDuties: 1, oldestDutySeconds: 90, pendingEvents: 0 })
  expect(figures.subscriptions['canceled']).toBeGreaterThan(0)
  t.stripe.isDown = false
  await runClock(t.world.services)
  await t.settle()
  expect((await paymentFigures(t.world.knex, t.now)).openDuties).toBe(0)
})
