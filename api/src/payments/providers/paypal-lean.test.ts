/** A server that says no more than PayPal's reference requires, and an app that may not read reports, events and disputes. */
import { describe, expect, test } from 'vitest'
import { openPaypalWorld, PRICES } from '../../../test/support/paypal-world.ts'

const RECORDS = /webhooks-events|reporting|disputes/

test('a subscription without its plan, payer and payment dates has the period of its plan', async () => {
  await using t = await openPaypalWorld()
  t.server.lean = true
  const id = await t.buy()
  const periodEnd = new Date('2026-12-10T10:00:00Z')
  expect(await t.read(id)).toMatchObject({ standing: 'running', checkoutId: null, periodEnd })
  await t.provider.cancelAtPeriodEnd(id, 'duty-1')
  const stopped = await t.read(id)
  expect(stopped).toMatchObject({ standing: 'paused', periodEnd: null })
  expect(stopped.invoices).toMatchObject([{ paidCents: 1_000, periodEnd }])
  const startsAt = new Date('2026-12-01T00:00:00Z')
  expect(await t.read(await t.buy('3', startsAt))).toMatchObject({ standing: 'running', startsAt })
})

test('a subscription whose payments are not listed is paid when PayPal says so', async () => {
  await using t = await openPaypalWorld()
  const id = await t.buy()
  t.server.absent = /transactions/
  expect(await t.read(id)).toMatchObject({ standing: 'running', invoices: [] })
})

test('a first payment of less than the price buys no plan', async () => {
  await using t = await openPaypalWorld()
  const id = await t.buy()
  Object.assign(t.server.lastSale(id), { cents: 1 })
  expect((await t.read(id)).priceProviderId).toBeNull()
})

describe('money that goes back, of which there is no record', () => {
  test('in full is a refund of the payment, and in part changes nothing', async () => {
    await using t = await openPaypalWorld()
    t.server.absent = RECORDS
    const id = await t.buy()
    const payment = t.server.lastSale(id)
    t.server.advance(60_000)
    t.server.refund(payment.id, 300)
    expect((await t.read(id)).invoices).toMatchObject([{ refunds: [], disputes: [] }])
    t.server.refund(payment.id, 700)
    const refunds = [{ id: `${payment.id}-refund`, amountCents: 1_000, hasSucceeded: true }]
    expect((await t.read(id)).invoices).toMatchObject([{ refunds, disputes: [] }])
    const order = { paymentId: payment.id, amountCents: 1_000, currency: 'USD', reason: 'test' }
    expect(await t.provider.refund(order, 'duty-1')).toMatchObject({ amountCents: 1_000 })
  })

  test('by a reversal is known by its event', async () => {
    await using t = await openPaypalWorld()
    t.server.absent = RECORDS
    const id = await t.buy()
    expect(await t.provider.read(id, { isReversed: true })).toMatchObject({
      invoices: [{ refunds: [], disputes: [{ status: 'reversed', amountCents: 1_000 }] }],
    })
  })
})

test('a reversal that the payment does not show is found in PayPal’s events', async () => {
  await using t = await openPaypalWorld()
  const id = await t.buy()
  const payment = t.server.lastSale(id)
  t.server.reverse(payment.id)
  payment.status = 'COMPLETED'
  expect((await t.read(id)).invoices).toMatchObject([{ disputes: [] }])
  const read = await t.provider.read(id, { isReversed: true })
  const [reversal] = t.server.world.movements.keys()
  expect(read?.invoices).toMatchObject([{ disputes: [{ id: reversal, status: 'reversed' }] }])
})

test('the set-up finds its plans in a list without descriptions', async () => {
  await using t = await openPaypalWorld()
  t.server.lean = true
  const again = await t.provider.setUpPrices(PRICES)
  expect(again.map(({ providerId }) => providerId)).toEqual(PRICES.map(({ id }) => t.plan(id)))
  expect(t.server.world.plans.size).toBe(3)
})
