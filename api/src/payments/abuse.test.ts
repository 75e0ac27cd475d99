/** What payers and operators can do to payments, over providers in memory and a real database. */
import { describe, expect, test } from 'vitest'
import { removeDueAccounts } from '../features/account/remove-accounts.ts'
import { call } from '../../test/support/calls.ts'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { storePrices } from './prices.ts'
import { type WantedPrice } from './provider.ts'
import { refundFirstPayment } from './refund.ts'
import { resumeRenewal, stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

/** An account with a plan at PayPal, and an upgrade that its owner has not approved yet. */
async function upgrading() {
  const { t } = use
  const { id } = await t.person()
  const old = await t.buy(id, 'pro_annual', 'paypal')
  const { id: replaces } = await t.row(old)
  const wish = { provider: 'paypal', price: 'elite_annual', purpose: 'change', replaces } as const
  const checkout = await t.checkout(id, wish)
  const startsAt = new Date(t.now.getTime() + 146 * DAY_MS)
  const approve = async () => {
    const sub = t.paypal.pay(checkout, 'elite_annual', { startsAt })
    await t.settle()
    return sub
  }
  return { t, id, old, approve, startsAt }
}

describe('the credit of an upgrade at PayPal', () => {
  test('is gone with a refund of what it comes from: the plan waits for its first payment', async () => {
    const { t, id, approve, startsAt } = await upgrading()
    await refundFirstPayment(t.services, id)
    const next = await approve()
    expect(await t.planOf(id)).toBe('free')
    expect(await t.row(next)).toMatchObject({ state: 'incomplete', waits_until: startsAt })
    await t.after(startsAt.getTime() - t.now.getTime() + 60_000)
    expect(await t.planOf(id)).toBe('elite')
  })

  test.each([
    ['a refund', 'refunded', (sub: string) => use.t.paypal.refundThere(sub)],
    [
      'a lost dispute',
      'disputed',
      (sub: string) => {
        use.t.paypal.dispute(sub)
        use.t.paypal.decide(sub, 'lost')
      },
    ],
  ] as const)('and the plan end with %s of what it comes from', async (_what, reason, takeBack) => {
    const { t, id, old, approve } = await upgrading()
    const next = await approve()
    expect(await t.planOf(id)).toBe('elite')
    takeBack(old)
    await t.settle()
    expect(await t.planOf(id)).toBe('free')
    expect(await t.row(next)).toMatchObject({ state: 'ended', end_reason: reason })
    expect(t.paypal.subscription(next).standing).toBe('ended')
  })

  test('is for the plan that was bought: another one that is approved since begins with its payment', async () => {
    const { t } = use
    const { id } = await t.person()
    const { id: replaces } = await t.row(await t.buy(id, 'pro_monthly', 'paypal'))
    const wish = { provider: 'paypal', price: 'pro_annual', purpose: 'change', replaces } as const
    const startsAt = new Date(t.now.getTime() + 33 * DAY_MS)
    const sub = t.paypal.pay(await t.checkout(id, wish), 'pro_annual', { startsAt })
    await t.settle()
    t.paypal.reprice(sub, 'elite_monthly')
    await t.settle()
    expect(await t.planOf(id)).toBe('pro')
    expect((await t.row(sub)).next_price_id).not.toBeNull()
    t.pass(startsAt.getTime() - t.now.getTime() + 60_000)
    t.paypal.renew(sub)
    await t.settle()
    expect(await t.planOf(id)).toBe('elite')
  })

  test('that is used up ends nothing that was paid since', async () => {
    const { t, id, old, approve, startsAt } = await upgrading()
    const next = await approve()
    t.pass(startsAt.getTime() - t.now.getTime() + 60_000)
    t.paypal.renew(next)
    await t.settle()
    t.paypal.refundThere(old)
    await t.settle()
    expect(await t.planOf(id)).toBe('elite')
  })
})

/** A cancelled subscription at Stripe, and one at PayPal that is to follow it. */
async function switching(price = 'pro_monthly') {
  const { t } = use
  const { id } = await t.person()
  const old = await t.buy(id)
  await stopRenewal(t.services, id)
  await t.settle()
  const { id: replaces, ends_at: startsAt } = await t.row(old)
  if (startsAt === null) throw new Error('it ends')
  const wish = { provider: 'paypal', price, purpose: 'switch', replaces } as const
  const approve = async () => {
    const sub = t.paypal.pay(await t.checkout(id, wish), price, { startsAt })
    await t.settle()
    return sub
  }
  return { t, id, old, approve, startsAt }
}

describe('of a subscription and the one that follows it', () => {
  test('only one renews, also if the first one was resumed before the other was approved', async () => {
    const { t, id, old, approve, startsAt } = await switching()
    expect(await resumeRenewal(t.services, id)).toBe('done')
    const next = await approve()
    expect(await t.row(old)).toMatchObject({ state: 'canceled', stopped_by: 'owner' })
    expect(t.stripe.subscription(old).cancelAt).not.toBeNull()
    await t.after(startsAt.getTime() - t.now.getTime() + 60_000)
    expect(await t.row(old)).toMatchObject({ state: 'ended', end_reason: 'canceled' })
    expect(await t.row(next)).toMatchObject({ state: 'active' })
  })

  test('the second one ends when the first one is resumed at its provider, and only one follows', async () => {
    const { t, id, old, approve } = await switching()
    const [next, surplus] = [await approve(), await approve()]
    expect(await t.row(surplus)).toMatchObject({ state: 'ended', end_reason: 'surplus' })
    expect(await t.row(next)).toMatchObject({ state: 'incomplete' })
    t.stripe.resumeThere(old)
    await t.settle()
    expect(await t.row(old)).toMatchObject({ state: 'active' })
    expect(await t.row(next)).toMatchObject({ state: 'ended' })
    for (const sub of [next, surplus]) expect(t.paypal.subscription(sub).standing).toBe('ended')
    expect(await t.planOf(id)).toBe('pro')
  })

  test('the second one is not charged after the money-back guarantee, and can be cancelled when the first one has ended', async () => {
    const refunded = await switching()
    const { t } = refunded
    const next = await refunded.approve()
    await refundFirstPayment(t.services, refunded.id)
    await t.settle()
    expect(t.paypal.subscription(next).standing).toBe('ended')
    const ended = await switching()
    const other = await ended.approve()
    t.stripe.endThere(ended.old)
    await t.settle()
    expect(await stopRenewal(t.services, ended.id)).toBe('done')
    expect(t.paypal.subscription(other).standing).toBe('ended')
  })

  test('the second one gives no larger plan before its first payment', async () => {
    const { t, id, approve, startsAt } = await switching('elite_monthly')
    const next = await approve()
    t.pass(startsAt.getTime() - t.now.getTime() + 60_000)
    t.paypal.renew(next, false)
    await t.after(0)
    expect(await t.row(next)).toMatchObject({ state: 'past_due' })
    expect(await t.planOf(id)).toBe('pro')
    t.paypal.recover(next)
    await t.settle()
    expect(await t.planOf(id)).toBe('elite')
  })
})

describe('an account', () => {
  test('that is removed while its owner pays gets the payment back, and is not charged again', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkout = await t.checkout(id)
    await t.sql('update users set deletion_due_at = ? where id = ?', t.now, id)
    await removeDueAccounts({ knex: t.world.knex, nameservers: [] }, t.now)
    const sub = t.stripe.pay(checkout, 'pro_monthly')
    await t.settle()
    expect(t.stripe.subscription(sub)).toMatchObject({
      standing: 'ended',
      invoices: [{ refunds: [{ amountCents: 1_000 }] }],
    })
    expect(
      await t.sql('select user_id, party_id, url from checkouts where id = ?', checkout),
    ).toEqual([{ user_id: null, party_id: null, url: null }])
  })

  test('that is to be deleted, or whose owner cancels again, pays for no subscription that waits for its turn', async () => {
    const { t } = use
    const person = await t.person()
    const old = await t.buy(person.id)
    await stopRenewal(t.services, person.id)
    await t.settle()
    const { id: replaces, ends_at: startsAt } = await t.row(old)
    if (startsAt === null) throw new Error('it ends')
    const wish = { provider: 'paypal', purpose: 'switch', replaces } as const
    const waiting = t.paypal.pay(await t.checkout(person.id, wish), 'pro_monthly', { startsAt })
    await t.settle()
    const there = () => t.paypal.subscription(waiting).standing
    const password = 'correct horse battery staple'
    await call(t.world.app, 'POST', '/api/delete-account', {
      headers: person.headers,
      body: { password },
    })
    await t.settle()
    expect(there()).toBe('paused')
    const body = { username_or_email: person.username, password }
    expect((await call(t.world.app, 'POST', '/api/login', { body })).status).toBe(200)
    await t.settle()
    expect(there()).toBe('running')
    expect(await stopRenewal(t.services, person.id)).toBe('done')
    expect(there()).toBe('ended')
    expect(await t.row(old)).toMatchObject({ state: 'canceled', stopped_by: 'owner' })
  })
})

describe('a checkout', () => {
  test('of one provider grants nothing for a subscription of another', async () => {
    const { t } = use
    const { id } = await t.person()
    t.paypal.pay(await t.checkout(id), 'pro_monthly')
    await t.settle()
    expect(await t.planOf(id)).toBe('free')
  })

  test('of PayPal grants nothing for another subscription there that has its id', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkout = await t.checkout(id, { provider: 'paypal' })
    await t.sql('update checkouts set provider_id = ? where id = ?', 'I-APPROVED', checkout)
    t.paypal.pay(checkout, 'elite_annual')
    await t.settle()
    expect(await t.planOf(id)).toBe('free')
  })

  test('grants nothing before the first payment', async () => {
    const { t } = use
    const { id } = await t.person()
    const startsAt = new Date(t.now.getTime() + 365 * DAY_MS)
    const checkout = await t.checkout(id, { provider: 'paypal' })
    const sub = t.paypal.pay(checkout, 'pro_monthly', { startsAt })
    await t.settle()
    expect(await t.planOf(id)).toBe('free')
    expect(await t.row(sub)).toMatchObject({ state: 'incomplete', waits_until: startsAt })
  })

  test('that is paid after its time is completed, and one of a blocked account does not renew', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkout = await t.checkout(id)
    await t.sql(`update checkouts set state = 'expired' where id = ?`, checkout)
    await t.sql('update users set enabled = false where id = ?', id)
    const sub = t.stripe.pay(checkout, 'pro_monthly')
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'canceled', stopped_by: 'ban' })
    expect(t.stripe.subscription(sub).cancelAt).not.toBeNull()
    expect(await t.sql('select state from checkouts where id = ?', checkout)).toEqual([
      { state: 'completed' },
    ])
  })

  test('of a change replaces only the subscription that it was made for', async () => {
    const { t, id, approve } = await upgrading()
    const first = await approve()
    const { id: replaces } = await t.row(first)
    const wish = { provider: 'paypal', price: 'elite_annual', purpose: 'change' } as const
    const [old] = await t.sql<{ id: string }>(
      'select id from subscriptions where user_id = ? and id <> ?',
      id,
      replaces,
    )
    const checkout = await t.checkout(id, { ...wish, replaces: old?.id ?? '' })
    const second = t.paypal.pay(checkout, 'elite_annual')
    await t.settle()
    expect(await t.row(second)).toMatchObject({ is_surplus: true, end_reason: 'surplus' })
    expect(await t.row(first)).toMatchObject({ state: 'active' })
  })
})

describe('a price', () => {
  test('that was replaced at the provider still renews what was sold for it', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    const { price_id } = await t.row(sub)
    const replaced = { id: price_id, providerId: 'pro_monthly_again', productId: 'pro' }
    await storePrices(t.world.knex, t.stripe, [replaced])
    await storePrices(t.world.knex, t.stripe, [replaced])
    t.stripe.renew(sub)
    await t.settle()
    expect(await t.sql(`select error from payment_events where state = 'failed'`)).toEqual([])
    await storePrices(t.world.knex, t.stripe, [{ ...replaced, providerId: 'pro_monthly' }])
    expect(
      await t.sql(
        'select provider_id, former_ids from provider_prices where price_id = ? and provider = ?',
        price_id,
        'stripe',
      ),
    ).toEqual([{ provider_id: 'pro_monthly', former_ids: ['pro_monthly_again'] }])
  })

  test('that became unknown does not keep a plan that has ended at the provider', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.reprice(sub, 'price_of_the_operator')
    await t.settle()
    expect(await t.planOf(id)).toBe('pro')
    t.stripe.endThere(sub)
    await t.settle()
    expect(await t.planOf(id)).toBe('free')
    expect(await t.row(sub)).toMatchObject({ state: 'ended' })
  })
})

describe('an unknown price', () => {
  test('keeps the plan until the end of what was paid, and for the time of grace', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.reprice(sub, 'price_of_the_payer')
    await t.after(29 * DAY_MS)
    expect(await t.row(sub)).toMatchObject({ state: 'active' })
    await t.after(2 * DAY_MS)
    expect(await t.row(sub)).toMatchObject({ state: 'past_due' })
    expect(await t.planOf(id)).toBe('pro')
    await t.after(14 * DAY_MS)
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
    expect(await t.planOf(id)).toBe('free')
    expect(t.stripe.subscription(sub).standing).toBe('ended')
  })
})

describe('the tax of an invoice', () => {
  test.each([[[1_503]], [[501, 501, 501]], [[1, 2, 1_500]]])(
    'goes back to the cent with refunds of %j',
    async (parts) => {
      const { t } = use
      const { id } = await t.person()
      await t.sql(
        `insert into tax_rates (country, rate_basis_points, name) values ('ZZ', 2000, 'VAT') on conflict do nothing`,
      )
      const [price] = await t.sql<WantedPrice>(
        `select id, plan, billing, 1503 as "amountCents", currency, version from plan_prices where plan = 'elite' and billing = 'annual'`,
      )
      if (price === undefined) throw new Error('it is sold')
      await t.stripe.setUpPrices([price])
      const sub = await t.buy(id, 'elite_annual')
      for (const cents of parts) {
        t.stripe.refundThere(sub, cents)
        await t.settle()
      }
      const rows = await t.sql(
        `select sum(total_cents)::int as total, sum(tax_cents)::int as tax, max(tax_cents) as most
         from invoices join invoice_accounts on invoice_id = id where user_id = ?`,
        id,
      )
      expect(rows).toEqual([{ total: 0, tax: 0, most: 251 }])
    },
  )
})
