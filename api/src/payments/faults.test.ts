/** What bad luck does to payments: faults of the provider, of the clock and of our own, one at a time. */
import { describe, expect, test, vi } from 'vitest'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { expireCheckouts } from './checkouts.ts'
import { endDue, refetchDue } from './clock.ts'
import { doDuties } from './do-duties.ts'
import { ProviderTrouble } from './provider.ts'
import { stopRenewal } from './wishes.ts'

const use = usePaymentWorld()

describe('the clock of this computer', () => {
  test('that was a day ahead does not hide what is read after its correction', async () => {
    const { t } = use
    const { id } = await t.person()
    t.pass(DAY_MS)
    const sub = await t.buy(id)
    t.pass(-DAY_MS)
    t.stripe.endThere(sub)
    await t.settle()
    expect(await t.row(sub)).toMatchObject({ state: 'ended' })
    expect(await t.planOf(id)).toBe('free')
    t.pass(DAY_MS)
  })
})

describe('a fault', () => {
  test('of the provider that outlasts the paid time makes nobody pay who had cancelled', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.isDown = true
    expect(await stopRenewal(t.services, id)).toBe('stored')
    // No job runs until the next period has begun and is paid.
    t.pass(30 * DAY_MS)
    t.stripe.renew(sub)
    t.pass(DAY_MS)
    t.stripe.isDown = false
    await t.after(0)
    expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'canceled' })
    expect(await t.planOf(id)).toBe('free')
    const { standing, invoices } = t.stripe.subscription(sub)
    expect(standing).toBe('ended')
    expect(invoices.map(({ refunds }) => refunds.length)).toEqual([0, 1])
  })

  test('of one checkout holds up neither the checkouts of another provider nor, for long, its own', async () => {
    const { t } = use
    const { id } = await t.person()
    const checkouts = [await t.checkout(id), await t.checkout(id)]
    for (const [n, each] of checkouts.entries())
      await t.sql('update checkouts set provider_id = ? where id = ?', `cs_gone_${n}`, each)
    await t.checkout(id, { provider: 'paypal' })
    const left = async () => {
      await expireCheckouts(t.services)
      const rows = await t.sql<{ id: string }>(`select id from checkouts where state = 'open'`)
      return rows.map((row) => row.id)
    }
    t.pass(2 * DAY_MS)
    t.stripe.faults.push('down')
    expect((await left()).toSorted()).toEqual(checkouts.toSorted())
    expect(await left()).toEqual([checkouts[0]])
    t.pass(60_001)
    expect(await left()).toEqual([])
  })

  test('of our own with one subscription does not keep another one alive', async () => {
    const { t } = use
    const [broken, other] = [await t.person(), await t.person()]
    const sub = await t.buy(broken.id)
    await t.buy(other.id)
    for (const { id } of [broken, other]) await stopRenewal(t.services, id)
    t.pass(31 * DAY_MS)
    // What is read of it cannot be stored.
    t.stripe.subscription(sub).providerStatus = '\0'
    await endDue(t.services)
    expect(await t.planOf(other.id)).toBe('free')
    expect(await t.planOf(broken.id)).toBe('free')
    t.stripe.subscription(sub).providerStatus = 'active'
    await t.settle()
  })

  test('that lets every call wait holds up no plan that our clock ends', async () => {
    const { t } = use
    const people = await Promise.all(Array.from({ length: 6 }, async () => t.person()))
    for (const { id } of people) {
      await t.buy(id)
      await stopRenewal(t.services, id)
    }
    t.pass(31 * DAY_MS)
    const read = vi.spyOn(t.stripe, 'read').mockImplementation(async () => {
      t.pass(19_000)
      throw new ProviderTrouble('stripe', 'unknown', 'Stripe gave no answer in time')
    })
    expect(await endDue(t.services)).toBe(6)
    expect(read).toHaveBeenCalledTimes(4)
    read.mockRestore()
    for (const { id } of people) expect(await t.planOf(id)).toBe('free')
    await t.settle()
  })

  test('that a provider does not mend is shown to administrators, and tried again at growing intervals', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    const { id: subscription } = await t.row(sub)
    t.pass(1_000)
    const call = vi
      .spyOn(t.stripe, 'cancelAtPeriodEnd')
      .mockRejectedValue(
        new ProviderTrouble('stripe', 'refused', 'Stripe refused the call: no_such_thing'),
      )
    expect(await stopRenewal(t.services, id)).toBe('refused')
    const shown = async () =>
      t.sql(
        'select type, state, error from payment_events where subscription_id = ? and event_id like ?',
        subscription,
        'homing%',
      )
    const failed = {
      type: 'homing.cancel',
      state: 'failed',
      error: 'Stripe refused the call: no_such_thing',
    }
    expect(await shown()).toEqual([failed])
    // The job does not repeat it with each of its runs, and the owner hears of it again.
    for (let run = 0; run < 25; run += 1) {
      t.pass(2_000)
      await doDuties(t.services)
    }
    expect(call).toHaveBeenCalledTimes(1)
    expect(await stopRenewal(t.services, id)).toBe('refused')
    t.pass(60_000)
    await doDuties(t.services)
    expect(call).toHaveBeenCalledTimes(3)
    t.pass(100_000)
    await doDuties(t.services)
    expect(call).toHaveBeenCalledTimes(3)
    call.mockRestore()
    t.pass(20_000)
    await doDuties(t.services)
    expect(t.stripe.subscription(sub).cancelAt).not.toBeNull()
    expect(await shown()).toEqual([failed, failed, failed])
  })

  test('that lasts is told again to an owner who cancels again, until the provider has done it', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.isDown = true
    expect(await stopRenewal(t.services, id)).toBe('stored')
    expect(await stopRenewal(t.services, id)).toBe('stored')
    t.stripe.isDown = false
    expect(await stopRenewal(t.services, id)).toBe('done')
    expect(t.stripe.subscription(sub).cancelAt).not.toBeNull()
  })

  test('of the read after a cancellation does not undo what was confirmed', async () => {
    const { t } = use
    const { id } = await t.person()
    const sub = await t.buy(id)
    t.stripe.faults.push(null, 'down')
    expect(await stopRenewal(t.services, id)).toBe('done')
    t.stripe.events.length = 0
    const { refetched_at: before } = await t.row(sub)
    await t.after(1_000)
    expect((await t.row(sub)).refetched_at).not.toEqual(before)
  })
})

test('without keys of the provider, a plan with a missing payment ends by our clock', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  t.stripe.renew(sub, false)
  await t.settle()
  t.pass(14 * DAY_MS)
  const read = vi.spyOn(t.stripe, 'read')
  const keyless = { ...t.services, payments: {} }
  expect(await refetchDue(keyless)).toBe(0)
  await endDue(keyless)
  expect(await t.planOf(id)).toBe('free')
  expect(read).not.toHaveBeenCalled()
  expect(await t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
  read.mockRestore()
  await t.settle()
})
