/** The money-back guarantee. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, usePaymentWorld } from '../../test/support/payment-world.ts'
import { liveSubscription } from './live-subscription.ts'
import { refundableUntil, refundFirstPayment } from './refund.ts'

const use = usePaymentWorld()
const refused = { code: 'conflict' }

test('refunds the first payment in full and ends the plan at once', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  const row = await liveSubscription(t.world.knex, id)
  if (row === undefined) throw new Error('it lives')
  const until = await refundableUntil(t.services, row)
  expect(until?.getTime()).toBe((row.started_at?.getTime() ?? 0) + 7 * DAY_MS)
  expect(await refundFirstPayment(t.services, id)).toEqual({
    amountCents: 1_000,
    currency: 'USD',
    outcome: 'done',
  })
  expect(await t.planOf(id)).toBe('free')
  expect(t.stripe.subscription(sub).invoices[0]?.refunds).toMatchObject([{ amountCents: 1_000 }])
  await t.settle()
  expect(await t.subjects()).toEqual([
    expect.stringMatching(/^Receipt/),
    'Your plan has ended',
    'Your payment is refunded',
  ])
})

describe('is refused', () => {
  test('after 168 hours, by the clock of the service', async () => {
    const { t } = use
    const { id } = await t.person()
    await t.buy(id)
    t.pass(7 * DAY_MS)
    await expect(refundFirstPayment(t.services, id)).rejects.toMatchObject(refused)
    expect(await t.planOf(id)).toBe('pro')
  })

  test('for a second subscription, whatever the provider', async () => {
    const { t } = use
    const { id } = await t.person()
    t.stripe.endThere(await t.buy(id))
    await t.settle()
    await t.buy(id, 'pro_monthly', 'paypal')
    await expect(refundFirstPayment(t.services, id)).rejects.toMatchObject(refused)
  })

  test('for another account of the same payer', async () => {
    const { t } = use
    const [one, other] = [await t.person(), await t.person()]
    for (const { id } of [one, other]) {
      t.stripe.subscription(await t.buy(id)).payer = 'the same card'
    }
    await refundFirstPayment(t.services, one.id)
    await expect(refundFirstPayment(t.services, other.id)).rejects.toMatchObject(refused)
    expect(await t.planOf(other.id)).toBe('pro')
  })

  test('for another account of the same payer, also after the key of the service was replaced', async () => {
    const { t } = use
    const [one, other] = [await t.person(), await t.person()]
    for (const { id } of [one, other]) t.stripe.subscription(await t.buy(id)).payer = 'that card'
    await refundFirstPayment(t.services, one.id)
    const { config } = t.services
    const keys = { secretKey: Buffer.alloc(32, 7), previousSecretKey: config.secretKey }
    const later = { ...t.services, config: { ...config, ...keys } }
    await expect(refundFirstPayment(later, other.id)).rejects.toMatchObject(refused)
    expect(await t.planOf(other.id)).toBe('pro')
  })

  test('without a subscription', async () => {
    const { t } = use
    const { id } = await t.person()
    await expect(refundFirstPayment(t.services, id)).rejects.toMatchObject({
      code: 'no-subscription',
    })
  })
})

test('of two calls at once, one refunds, once', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  const results = await Promise.allSettled([
    refundFirstPayment(t.services, id),
    refundFirstPayment(t.services, id),
  ])
  await t.settle()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(t.stripe.subscription(sub).invoices[0]?.refunds).toHaveLength(1)
})

test('when the provider does not answer to the refund, the plan has ended and a job refunds', async () => {
  const { t } = use
  const { id } = await t.person()
  const sub = await t.buy(id)
  // It is read; the end is done, and its answer is lost.
  t.stripe.faults.push(null, 'lost', 'down', 'down')
  expect(await refundFirstPayment(t.services, id)).toMatchObject({ outcome: 'stored' })
  expect(await t.planOf(id)).toBe('free')
  await t.settle()
  expect(t.stripe.subscription(sub)).toMatchObject({ standing: 'ended' })
  expect(t.stripe.subscription(sub).invoices[0]?.refunds).toHaveLength(1)
})
