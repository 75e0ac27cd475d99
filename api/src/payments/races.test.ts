/** What happens at the same time, and calls that fail after the provider has acted. */
import { describe, expect, test } from 'vitest'
import { runClock } from '../jobs/payments.ts'
import { removeDueAccounts } from '../features/account/remove-accounts.ts'
import { call } from '../../test/support/calls.ts'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { applyRead } from './apply.ts'
import { doDuties } from './do-duties.ts'
import { applyPendingEvents } from './events.ts'
import { endSubscription, resumeRenewal, stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

describe('at the same time', () => {
  test('of five subscriptions of one account, one stays and four are paid back', async () => {
    const { t } = use
    const { id } = await t.person()
    // The queue of jobs connects at the first job.
    await t.buy((await t.person()).id)
    const subs: string[] = []
    for (let n = 0; n < 5; n += 1) subs.push(t.stripe.pay(await t.checkout(id), 'pro_monthly'))
    const reads = await Promise.all(subs.map(async (sub) => t.stripe.read(sub)))
    const known = reads.filter((read) => read !== undefined)
    await Promise.all([...known, ...known].map(async (read) => applyRead(t.services, read)))
    await t.settle()
    const rows = await Promise.all(subs.map((sub) => t.row(sub)))
    expect(rows.filter(({ state }) => state === 'active')).toHaveLength(1)
    expect(rows.filter(({ end_reason }) => end_reason === 'surplus')).toHaveLength(4)
    const refunds = subs.flatMap((sub) => t.stripe.subscription(sub).invoices[0]?.refunds ?? [])
    expect(refunds).toHaveLength(4)
  })

  test('a refund and a renewal: the plan ends, and the renewal, whose period never begins, is paid back', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    const [paid] = t.stripe.subscription(sub).invoices
    const refund = {
      kind: 'refund',
      paymentId: paid?.paymentId ?? '',
      amountCents: 1_000,
      currency: 'USD',
    } as const
    const { id: subscriptionId } = await t.row(sub)
    const ending = endSubscription(t.services, {
      subscriptionId,
      reason: 'refunded',
      refunds: [refund],
    })
    t.pass(1)
    t.stripe.renew(sub)
    await Promise.all([ending, t.settle()])
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'refunded' })
    expect(await t.planOf(id)).toBe('free')
    const invoices = t.stripe.subscription(sub).invoices
    expect(invoices.map(({ refunds }) => refunds.length)).toEqual([1, 1])
    expect(await t.sql('select 1 from plan_grants where user_id = ?', id)).toEqual([])
  })

  test('an administrator’s change and an activation: both count', async () => {
    const { t } = use
    const admin = await t.person('admin')
    for (const [wanted, type] of [
      ['free', 'pro'],
      ['elite', 'elite'],
      ['disabled', 'disabled'],
    ] as const) {
      const { id } = await t.person()
      const sub = t.stripe.pay(await t.checkout(id), 'pro_monthly')
      const read = await t.stripe.read(sub)
      if (read === undefined) throw new Error('it exists')
      await t.sql(`update sessions set confirmed_at = ? where user_id = ?`, t.now, admin.id)
      const [, reply] = await Promise.all([
        applyRead(t.services, read),
        call(t.world.app, 'PUT', `/api/admin/users/${id}`, {
          headers: admin.headers,
          body: { account_type: wanted },
        }),
      ])
      expect(reply.status).toBe(200)
      await t.settle()
      expect(await t.planOf(id)).toBe(type)
      expect(
        await t.sql(`select plan from plan_grants where user_id = ? and source = 'payment'`, id),
      ).toEqual([{ plan: 'pro' }])
    }
  })

  test('the removal of an account and an event: nothing names the account, and nobody is charged again', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.renew(sub)
    await t.sql('update users set deletion_due_at = ? where id = ?', t.now, id)
    await Promise.all([
      removeDueAccounts({ knex: t.world.knex, nameservers: [] }, t.now),
      t.settle(),
    ])
    await t.settle()
    expect(await t.sql('select 1 from users where id = ?', id)).toEqual([])
    expect(await t.row(sub)).toMatchObject({
      user_id: null,
      state: 'ended',
      payment_method: null,
      payer_digest: null,
    })
    expect(t.stripe.subscription(sub).standing).toBe('ended')
    const books = t.stripe.books.reduce((sum, { amountCents }) => sum + amountCents, 0)
    expect(await t.ledgerSum('stripe')).toBe(books)
  })
})

describe('a provider that fails', () => {
  test.each([
    ['does not answer', 'down'],
    ['acts and does not answer', 'lost'],
  ] as const)('when it %s, a cancellation is stored, and done once', async (_what, fault) => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.faults.push(fault)
    const acted = t.stripe.acted['cancel'] ?? 0
    expect(await stopRenewal(t.services, id)).toBe('stored')
    expect(await t.row(sub)).toMatchObject({ state: 'canceled', stop_confirmed_at: null })
    await t.settle()
    expect((await t.row(sub)).stop_confirmed_at).not.toBeNull()
    expect((t.stripe.acted['cancel'] ?? 0) - acted).toBe(1)
    expect(t.stripe.subscription(sub).cancelAt).not.toBeNull()
  })

  test('a refund whose answer is lost is made once, also after the key was forgotten', async () => {
    const { t } = use
    const { id } = await t.person()
    await t.buy(id)
    const second = t.paypal.pay(await t.checkout(id, { provider: 'paypal' }), 'pro_monthly')
    await t.deliver()
    await applyPendingEvents(t.services)
    // It is ended and read; then the payment is looked for, and the answer to the refund is lost.
    t.paypal.faults.push(null, null, null, 'lost')
    expect(await doDuties(t.services)).toEqual({ done: 1, postponed: 1, refused: 0 })
    await t.settle()
    const { invoices } = t.paypal.subscription(second)
    expect(invoices[0]?.refunds).toHaveLength(1)
    expect(t.paypal.acted['refund']).toBe(1)
    t.paypal.forgetKeys()
    await t.sql(`update payment_duties set done_at = null, due_at = ? where kind = 'refund'`, t.now)
    await doDuties(t.services)
    expect(invoices[0]?.refunds).toHaveLength(1)
    expect(t.paypal.acted['refund']).toBe(1)
    expect(await t.sql(`select 1 from payment_duties where done_at is null`)).toEqual([])
  })

  test('while it is away, a cancelled plan ends by our clock, and one in grace goes on', async () => {
    const { t } = use
    const [cancelled, late] = [await t.person(), await t.person()]
    const subs = [await t.buy(cancelled.id, 'pro_monthly', 'paypal'), await t.buy(late.id)]
    await stopRenewal(t.services, cancelled.id)
    t.stripe.renew(subs[1] ?? '', false)
    await t.settle()
    t.stripe.isDown = true
    t.paypal.isDown = true
    t.pass(31 * DAY_MS)
    await runClock(t.world.services)
    expect(await t.planOf(cancelled.id)).toBe('free')
    expect(await t.planOf(late.id)).toBe('pro')
    t.stripe.isDown = false
    t.paypal.isDown = false
    await t.after(0)
    expect(await t.planOf(late.id)).toBe('free')
    for (const [n, provider] of [t.paypal, t.stripe].entries())
      expect(provider.subscription(subs[n] ?? '').standing).toBe('ended')
  })
})

describe('the account', () => {
  const remove = async (headers: Readonly<Record<string, string>>) =>
    call(use.t.world.app, 'POST', '/api/delete-account', {
      headers,
      body: { password: 'correct horse battery staple' },
    })

  test('that asks for its deletion does not renew; when its owner returns, it renews again', async () => {
    const { t } = use
    const person = await t.person()
    const sub = await t.buy(person.id)
    expect((await remove(person.headers)).status).toBeLessThan(300)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'canceled', stopped_by: 'deletion' })
    expect(t.stripe.subscription(sub).cancelAt).not.toBeNull()
    const login = await call(t.world.app, 'POST', '/api/login', {
      body: { username_or_email: person.username, password: 'correct horse battery staple' },
    })
    expect(login.status).toBe(200)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'active', stopped_by: null })
    expect(t.stripe.subscription(sub).cancelAt).toBeNull()
  })

  test('whose owner had cancelled before does not renew after a return', async () => {
    const { t } = use
    const person = await t.person()
    const sub = await t.buy(person.id)
    await stopRenewal(t.services, person.id)
    await remove(person.headers)
    await call(t.world.app, 'POST', '/api/login', {
      body: { username_or_email: person.username, password: 'correct horse battery staple' },
    })
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'canceled', stopped_by: 'owner' })
  })

  test('that is banned does not renew, and has its plan again when the ban ends', async () => {
    const { t } = use
    const [admin, person] = [await t.person('admin'), await t.person()]
    const sub = await t.buy(person.id)
    const ban = (enabled: boolean) =>
      call(t.world.app, 'PUT', `/api/admin/users/${person.id}`, {
        headers: admin.headers,
        body: { enabled },
      })
    expect((await ban(false)).status).toBe(200)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'canceled', stopped_by: 'ban' })
    expect((await ban(true)).status).toBe(200)
    expect(await t.planOf(person.id)).toBe('pro')
    expect(await resumeRenewal(t.services, person.id)).toBe('done')
    expect(await t.row(sub)).toMatchObject({ state: 'active' })
  })
})
