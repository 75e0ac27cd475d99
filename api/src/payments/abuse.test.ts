/** What payers, operators and bad luck can do to payments, over providers in memory and a real database. */
import { describe, expect, test } from 'vitest'
import { removeDueAccounts } from '../features/account/remove-accounts.ts'
import { call } from '../../test/support/calls.ts'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

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
