/** The provider against the local server: the life of a subscription, and what fails on the way. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  DAY_MS,
  openPaypalWorld,
  orderOf,
  PRICES,
  START,
} from '../../../test/support/paypal-world.ts'
import { eventOf } from './paypal-event.ts'
import { troubleOfStatus } from './paypal-trouble.ts'

describe('a subscription', () => {
  test('waits for approval, is paid, and names our checkout', async () => {
    await using t = await openPaypalWorld()
    const order = orderOf(t.plan('1'))
    const { providerId, url } = await t.provider.createCheckout(order)
    expect(await t.provider.readCheckout(providerId)).toEqual({
      state: 'open',
      checkoutId: order.checkoutId,
      subscriptionId: null,
    })
    expect(await t.read(providerId)).toMatchObject({ standing: 'incomplete', invoices: [] })
    const back = await t.server.approve(url)
    expect(back).toContain(`/payment-success?provider=paypal&subscription_id=${providerId}`)
    expect(await t.provider.readCheckout(providerId)).toMatchObject({ state: 'completed' })
    expect(await t.read(providerId)).toMatchObject({
      standing: 'running',
      providerStatus: 'ACTIVE',
      checkoutId: order.checkoutId,
      priceProviderId: t.plan('1'),
      periodEnd: new Date('2026-12-10T10:00:00Z'),
      paymentMethod: 'PayPal (a…@example.net)',
      invoices: [{ kind: 'first', status: 'paid', paidCents: 1_000, currency: 'USD' }],
    })
  })

  test('is suspended, resumed and ended, each as often as wanted', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const paidUntil = (await t.read(id)).periodEnd
    await t.provider.cancelAtPeriodEnd(id, 'duty-1')
    await t.provider.cancelAtPeriodEnd(id, 'duty-2')
    const stopped = await t.read(id)
    expect(stopped).toMatchObject({ standing: 'paused', periodEnd: null, firstFailedAt: null })
    expect(stopped.invoices[0]?.periodEnd).toEqual(paidUntil)
    await t.provider.resume(id, 'duty-3')
    await t.provider.resume(id, 'duty-4')
    expect(await t.read(id)).toMatchObject({ standing: 'running', periodEnd: paidUntil })
    await t.provider.endNow(id, 'duty-5')
    await t.provider.endNow(id, 'duty-6')
    expect(await t.read(id)).toMatchObject({ standing: 'ended', endedAt: new Date(START) })
    await expect(t.provider.resume(id, 'duty-7')).rejects.toMatchObject({ kind: 'refused' })
    await t.provider.cancelAtPeriodEnd(id, 'duty-8')
  })

  test('renews, fails, and recovers: the failure is the day on which the payment was due', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    t.server.advance(31 * DAY_MS)
    expect((await t.read(id)).invoices.map(({ kind, periodEnd }) => [kind, periodEnd])).toEqual([
      ['first', new Date('2026-12-10T10:00:00Z')],
      ['renewal', new Date('2027-01-10T10:00:00Z')],
    ])
    t.server.payerOf(id, 'declines')
    t.server.advance(31 * DAY_MS)
    const due = new Date('2027-01-10T10:00:00Z')
    expect(await t.read(id)).toMatchObject({
      standing: 'unpaid',
      firstFailedAt: due,
      periodStart: due,
    })
    t.server.advance(5 * DAY_MS)
    expect((await t.read(id)).firstFailedAt).toEqual(due)
    t.server.payerOf(id, 'pays')
    t.server.advance(5 * DAY_MS)
    const paid = await t.read(id)
    expect(paid).toMatchObject({ standing: 'running', firstFailedAt: null })
    expect(paid.invoices.at(-1)).toMatchObject({ periodStart: due, paidCents: 1_000 })
  })

  test('that begins later is approved now and paid then', async () => {
    await using t = await openPaypalWorld()
    const startsAt = new Date('2026-12-01T00:00:00Z')
    const id = await t.buy('3', startsAt)
    expect(await t.read(id)).toMatchObject({
      standing: 'running',
      startsAt,
      startedAt: new Date(START),
      invoices: [],
    })
    t.server.advance(22 * DAY_MS)
    expect((await t.read(id)).invoices).toMatchObject([{ kind: 'first', paidCents: 2_500 }])
  })

  test.each([-1_000, 0, 60_000])('that was to begin %d ms from now begins at once', async (ms) => {
    await using t = await openPaypalWorld()
    const id = await t.buy('3', new Date(START + ms))
    const invoices = [{ kind: 'first', paidCents: 2_500 }]
    expect(await t.read(id)).toMatchObject({ standing: 'running', startsAt: null, invoices })
  })

  test('of a payer who never approves it does not exist for the plan, and cannot be stopped', async () => {
    await using t = await openPaypalWorld()
    const { providerId } = await t.provider.createCheckout(orderOf(t.plan('1')))
    await t.provider.endNow(providerId, 'duty-1')
    await t.provider.cancelAtPeriodEnd(providerId, 'duty-2')
    expect(t.server.calls.filter((call) => /cancel|suspend/.test(call))).toEqual([])
    expect(await t.provider.read('I-UNKNOWN')).toBeUndefined()
    expect(await t.provider.readCheckout('I-UNKNOWN')).toBeUndefined()
  })

  test('is revised for the next period when the payer approves', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy('3')
    const change = { subscriptionId: id, priceProviderId: t.plan('1'), when: 'period-end' } as const
    expect(await t.provider.previewChange(change)).toMatchObject({
      dueNowCents: 0,
      nextPaymentCents: 1_000,
      nextPaymentAt: new Date('2026-12-10T10:00:00Z'),
    })
    const { confirmUrl } = await t.provider.changePrice(change, 'change-1')
    await t.server.approve(confirmUrl ?? '')
    expect((await t.read(id)).priceProviderId).toBe(t.plan('3'))
    t.server.advance(31 * DAY_MS)
    const after = await t.read(id)
    expect(after).toMatchObject({ priceProviderId: t.plan('1') })
    expect(after.invoices.at(-1)?.paidCents).toBe(1_000)
    const now = { ...change, when: 'now' } as const
    await expect(t.provider.changePrice(now, 'change-2')).rejects.toMatchObject({ kind: 'refused' })
  })

  test('that PayPal shows with its revised plan before the payment has the plan that was paid', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy('3')
    const agreement = t.server.world.need(t.server.world.agreements, id)
    agreement.plan = t.server.world.need(t.server.world.plans, t.plan('1'))
    expect(await t.read(id)).toMatchObject({
      priceProviderId: t.plan('3'),
      nextPriceProviderId: t.plan('1'),
    })
  })
})

describe('money that goes back', () => {
  test('is refunded once for a key, in part and in full', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const paymentId = t.server.lastSale(id).id
    const part = { paymentId, amountCents: 333, currency: 'USD', reason: 'test' }
    const made = await t.provider.refund(part, 'duty-1')
    expect(await t.provider.refund(part, 'duty-1')).toEqual(made)
    expect((await t.read(id)).invoices[0]?.refunds).toMatchObject([
      { id: made.id, amountCents: 333 },
    ])
    const rest = await t.provider.refund({ ...part, amountCents: 667 }, 'duty-2')
    expect(await t.provider.refund({ ...part, amountCents: 667 }, 'duty-9')).toMatchObject({
      id: rest.id,
    })
    expect(t.server.books.sumCents()).toBe(0)
    const refunds = (await t.read(id)).invoices[0]?.refunds ?? []
    expect(refunds.map((each) => each.id).toSorted()).toEqual([made.id, rest.id].toSorted())
    expect(await t.provider.subscriptionOf('refund', rest.id)).toBe(id)
  })

  test.each(['capture', 'both'] as const)(
    'that PayPal tells by events of the kind %s counts once',
    async (kind) => {
      await using t = await openPaypalWorld()
      t.server.world.refundsAs = kind
      const id = await t.buy()
      t.server.refund(t.server.lastSale(id).id)
      expect((await t.read(id)).invoices[0]?.refunds).toMatchObject([{ amountCents: 1_000 }])
      for (const event of t.server.events.filter(({ event_type }) =>
        event_type.endsWith('REFUNDED'),
      )) {
        const { body } = t.server.sign(event)
        const { objectKind, objectId } = eventOf(Buffer.from(body))
        expect(await t.provider.subscriptionOf(objectKind ?? 'checkout', objectId ?? '')).toBe(id)
      }
    },
  )

  test('in many parts, of which PayPal shows some on later pages, is complete', async () => {
    await using t = await openPaypalWorld()
    t.server.absent = /reporting/
    const id = await t.buy()
    const payment = t.server.lastSale(id).id
    for (let part = 0; part < 45; part += 1) t.server.refund(payment, 1)
    expect((await t.read(id)).invoices[0]?.refunds).toHaveLength(45)
  })

  test('that PayPal no longer has events of is in its reports, under the same ids', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy('2')
    t.server.refund(t.server.lastSale(id).id, 1_050)
    const before = (await t.read(id)).invoices[0]?.refunds
    t.server.advance(80 * DAY_MS)
    expect((await t.read(id)).invoices[0]?.refunds).toEqual(before)
    expect(before).toMatchObject([{ amountCents: 1_050 }])
  })

  test('by a reversal is a dispute that cannot be won', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    t.server.reverse(t.server.lastSale(id).id)
    expect((await t.read(id)).invoices).toMatchObject([
      { refunds: [], disputes: [{ status: 'reversed', amountCents: 1_000, isWithdrawn: true }] },
    ])
  })

  test('by a dispute is open, then won or lost', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const disputes = async () =>
      (await t.read(id)).invoices[0]?.disputes.map(({ status }) => status)
    const first = t.server.dispute(t.server.lastSale(id).id)
    expect(await t.provider.subscriptionOf('dispute', first)).toBe(id)
    expect(await disputes()).toEqual(['open'])
    t.server.decideDispute(first, true)
    expect(await disputes()).toEqual(['won'])
    t.server.decideDispute(t.server.dispute(t.server.lastSale(id).id), false)
    expect(await disputes()).toEqual(['reversed', 'won', 'lost'])
  })

  test('by a dispute is found at an older payment, too', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const first = t.server.lastSale(id).id
    t.server.advance(40 * DAY_MS)
    t.server.dispute(first)
    const { invoices } = await t.read(id)
    expect(invoices).toMatchObject([{ disputes: [{ status: 'open' }] }, { disputes: [] }])
  })

  test('by a dispute about several payments is found by its event at each of them', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const dispute = t.server.dispute(t.server.lastSale(id).id, ['NO-SALE'])
    t.server.absent = /GET \/v1\/customer\/disputes$/
    expect(await t.provider.subscriptionOf('dispute', dispute)).toBe(id)
    const paidBy = async (payment: string) => (payment === 'NO-SALE' ? undefined : 'I-BOOKS')
    expect(await t.provider.subscriptionOf('dispute', dispute, paidBy)).toBe('I-BOOKS')
    expect(await t.read(id)).toMatchObject({ invoices: [{ disputes: [] }] })
    expect(await t.provider.read(id, { disputeId: dispute })).toMatchObject({
      invoices: [{ disputes: [{ id: dispute, status: 'open' }] }],
    })
  })

  test('and that came is in the books that are listed', async () => {
    await using t = await openPaypalWorld()
    const [one, two] = [await t.buy(), await t.buy('3')]
    t.server.advance(40 * DAY_MS)
    t.server.refund(t.server.lastSale(one).id, 1)
    t.server.reverse(t.server.lastSale(two).id)
    const listed = await t.provider.listPayments(
      new Date(START - DAY_MS),
      new Date(START + 90 * DAY_MS),
    )
    const lines = listed.map((each) => `${each.kind} ${each.providerId} ${each.amountCents}`)
    expect(lines.toSorted()).toEqual(t.server.books.lines())
  })
})

describe('trouble', () => {
  test.each([
    ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'unavailable'],
    ['PENDING_CAPTURE', 'unavailable'],
    ['REFUND_NOT_ALLOWED', 'refused'],
  ])('%s of a refund is %s', (issue, kind) => {
    const body = { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] }
    expect(troubleOfStatus(422, body, true)).toMatchObject({ kind, code: issue })
  })

  test('after PayPal acted creates no second subscription, and refunds nothing twice', async () => {
    await using t = await openPaypalWorld()
    const order = orderOf(t.plan('1'), null, randomUUID())
    t.server.faults.actThenDrop(1, /POST .*subscriptions$/)
    await expect(t.provider.createCheckout(order)).rejects.toMatchObject({ kind: 'unknown' })
    const { providerId, url } = await t.provider.createCheckout(order)
    expect(t.server.world.agreements.size).toBe(1)
    await t.server.approve(url)
    const paymentId = t.server.lastSale(providerId).id
    const refund = { paymentId, amountCents: 1_000, currency: 'USD', reason: 'test' }
    t.server.faults.actThenDrop(1, /refund$/)
    await expect(t.provider.refund(refund, 'duty-1')).rejects.toMatchObject({ kind: 'unknown' })
    await t.provider.refund(refund, 'duty-1')
    expect(t.server.books.sumCents()).toBe(0)
    t.server.faults.actThenDrop(1, /cancel$/)
    await expect(t.provider.endNow(providerId, 'duty-2')).rejects.toMatchObject({ kind: 'unknown' })
    await t.provider.endNow(providerId, 'duty-2')
    expect((await t.read(providerId)).standing).toBe('ended')
  })

  test('without an answer ends at its limit, and the repetition finds what was done', async () => {
    await using t = await openPaypalWorld({ requestLimitMs: 300 })
    const id = await t.buy()
    t.server.faults.actThenTimeOut(1, /suspend$/)
    const call = t.provider.cancelAtPeriodEnd(id, 'duty-1')
    await expect(call).rejects.toMatchObject({ kind: 'unknown', code: 'timeout' })
    await t.provider.cancelAtPeriodEnd(id, 'duty-1')
    expect(t.server.calls.filter((each) => each.endsWith('/suspend'))).toHaveLength(1)
    t.server.faults.slow(5_000, 1)
    await expect(t.provider.read(id)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'timeout',
    })
  })

  test('before anything was done says so, without what was sent', async () => {
    await using t = await openPaypalWorld()
    t.server.faults.rateLimit(1, /subscriptions$/)
    const call = t.provider.createCheckout(orderOf(t.plan('1')))
    await expect(call).rejects.toMatchObject({ kind: 'unavailable', code: 'RATE_LIMIT_REACHED' })
    t.server.faults.fail5xx(1)
    await expect(t.provider.read('I-1')).rejects.toMatchObject({ kind: 'unavailable' })
    const unknown = t.provider.createCheckout(orderOf('P-UNKNOWN'))
    await expect(unknown).rejects.toMatchObject({ provider: 'paypal', kind: 'refused' })
    await expect(t.provider.createCheckout(orderOf('P-UNKNOWN'))).rejects.not.toThrow('ada@')
    await t.server.close()
    await expect(t.provider.read('I-1')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('with a token that ended is over after one new token', async () => {
    await using t = await openPaypalWorld()
    const id = await t.buy()
    const tokens = () => t.server.calls.filter((call) => call === 'POST /v1/oauth2/token').length
    expect(tokens()).toBe(1)
    t.server.revokeTokens()
    await Promise.all([t.read(id), t.read(id)])
    expect(tokens()).toBeLessThanOrEqual(3)
    await t.read(id)
    expect(tokens()).toBeLessThanOrEqual(3)
  })

  test('with the keys is not tried without end', async () => {
    await using t = await openPaypalWorld({ clientSecret: 'wrong' })
    const call = t.provider.read('I-1')
    await expect(call).rejects.toMatchObject({ kind: 'unavailable', code: 'invalid_client' })
    expect(t.server.calls).toEqual(['POST /v1/oauth2/token'])
  })
})

describe('the set-up', () => {
  test('finds what it made before', async () => {
    await using t = await openPaypalWorld()
    const again = await t.provider.setUpPrices(PRICES)
    expect(again.map(({ providerId }) => providerId)).toEqual(PRICES.map(({ id }) => t.plan(id)))
    expect([t.server.world.products.size, t.server.world.plans.size]).toEqual([1, 3])
  })

  test('refuses a plan with another price', async () => {
    await using t = await openPaypalWorld()
    const dearer = PRICES.map((price) => ({ ...price, amountCents: price.amountCents + 1 }))
    await expect(t.provider.setUpPrices(dearer)).rejects.toMatchObject({ kind: 'refused' })
  })

  test('names the page of automatic payments', async () => {
    await using t = await openPaypalWorld()
    const page = await t.provider.paymentMethodPage(
      { providerId: 'I-1', customerId: null },
      new URL('http://localhost/'),
    )
    expect(page).toBe('https://www.paypal.com/myaccount/autopay/')
  })
})
