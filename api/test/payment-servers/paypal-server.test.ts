import { describe, expect, test } from 'vitest'
import { DAY_MS, START, approved, paypalSetting, subscriptionOf, tokenOf } from './paypal-client.ts'

const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const all = (path: string) =>
  `${path}/transactions?start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z`

describe('a subscription', () => {
  test('is approved on the page and pays at once', async () => {
    await using setting = await paypalSetting()
    const { id, path, location } = await approved(setting, setting.plans.pro)
    expect(location).toMatch(`http://localhost/payment-success?subscription_id=${id}&ba_token=BA-`)
    const { body } = await setting.call('GET', path)
    expect(body).toMatchObject({
      status: 'ACTIVE',
      custom_id: 'checkout-1',
      plan_id: setting.plans.pro,
      subscriber: {
        email_address: 'ada@example.com',
        payer_id: expect.stringMatching(/^[A-Z0-9]{13}$/),
      },
      billing_info: {
        last_payment: { amount: { value: '10.0' } },
        next_billing_time: '2026-04-10T10:00:00Z',
      },
    })
    const types = setting.server.events.slice(-3).map(({ event_type: type }) => type)
    expect(types).toEqual([
      'BILLING.SUBSCRIPTION.CREATED',
      'BILLING.SUBSCRIPTION.ACTIVATED',
      'PAYMENT.SALE.COMPLETED',
    ])
    expect(setting.server.events.at(-1)?.resource).toMatchObject({
      billing_agreement_id: id,
      custom: 'checkout-1',
      amount: { total: '10.00' },
    })
    const { transactions } = (await setting.call('GET', all(path))).body
    expect(transactions).toMatchObject([
      { status: 'COMPLETED', amount_with_breakdown: { gross_amount: { value: '10.00' } } },
    ])
    expect(setting.server.books.sumCents()).toBe(1000)
  })

  test('can be turned down, and its link ends after three hours', async () => {
    await using setting = await paypalSetting()
    const { body } = await setting.call(
      'POST',
      '/v1/billing/subscriptions',
      subscriptionOf(setting.plans.pro),
    )
    const url = body.links[0].href as string
    expect(await setting.server.approve(url, 'cancel')).toContain(
      'http://localhost/payment-cancelled?',
    )
    expect(await setting.server.approve(url, 'decline')).toBeNull()
    setting.server.advance(DAY_MS)
    expect((await fetch(url)).status).toBe(410)
    expect(
      (await setting.call('GET', all(`/v1/billing/subscriptions/${body.id as string}`))).body,
    ).not.toHaveProperty('transactions')
  })

  test('with a start time is active at once and pays then', async () => {
    await using setting = await paypalSetting()
    const start = iso(START + 20 * DAY_MS)
    const { path } = await approved(setting, setting.plans.elite, { start_time: start })
    const { body } = await setting.call('GET', path)
    expect(body).toMatchObject({
      status: 'ACTIVE',
      start_time: start,
      billing_info: { next_billing_time: start },
    })
    expect(body.billing_info).not.toHaveProperty('last_payment')
    setting.server.advance(21 * DAY_MS)
    expect(setting.server.books.sumCents()).toBe(2500)
  })

  test('can override the price of its plan', async () => {
    await using setting = await paypalSetting()
    const cycle = {
      sequence: 1,
      pricing_scheme: { fixed_price: { value: '12.34', currency_code: 'USD' } },
    }
    const { path } = await approved(setting, setting.plans.pro, {
      plan: { billing_cycles: [cycle] },
    })
    expect((await setting.call('GET', path)).body.plan_overridden).toBe(true)
    expect(setting.server.books.sumCents()).toBe(1234)
  })

  test('is suspended, does not renew, and is activated again', async () => {
    await using setting = await paypalSetting()
    const { path } = await approved(setting, setting.plans.pro)
    expect((await setting.call('POST', `${path}/suspend`, { reason: 'Cancelled' })).status).toBe(
      204,
    )
    const { body } = await setting.call('GET', path)
    expect(body).toMatchObject({ status: 'SUSPENDED', status_change_note: 'Cancelled' })
    expect(body.billing_info).not.toHaveProperty('next_billing_time')
    expect(
      (await setting.call('POST', `${path}/suspend`, { reason: 'Again' })).body.details[0].issue,
    ).toBe('SUBSCRIPTION_STATUS_INVALID')
    setting.server.advance(10 * DAY_MS)
    expect((await setting.call('POST', `${path}/activate`, { reason: 'Resumed' })).status).toBe(204)
    setting.server.advance(25 * DAY_MS)
    expect(setting.server.books.sumCents()).toBe(2000)
  })

  test('that is activated after its billing day is charged the same day', async () => {
    await using setting = await paypalSetting()
    const { path } = await approved(setting, setting.plans.pro)
    await setting.call('POST', `${path}/suspend`, { reason: 'Cancelled' })
    setting.server.advance(45 * DAY_MS)
    await setting.call('POST', `${path}/activate`, { reason: 'Resumed' })
    expect((await setting.call('GET', path)).body.billing_info.next_billing_time).toBe(
      '2026-04-24T10:00:00Z',
    )
    setting.server.advance(DAY_MS)
    expect(setting.server.books.sumCents()).toBe(2000)
  })

  test('is cancelled for ever', async () => {
    await using setting = await paypalSetting()
    const { path } = await approved(setting, setting.plans.pro)
    expect((await setting.call('POST', `${path}/cancel`, { reason: 'End' })).status).toBe(204)
    expect((await setting.call('POST', `${path}/activate`, {})).status).toBe(422)
    setting.server.advance(60 * DAY_MS)
    expect(setting.server.books.sumCents()).toBe(1000)
  })

  test('that fails is tried again twice, then suspended with its amount outstanding', async () => {
    await using setting = await paypalSetting()
    const { id, path } = await approved(setting, setting.plans.pro)
    setting.server.payerOf(id, 'declines')
    setting.server.advance(32 * DAY_MS)
    const failing = (await setting.call('GET', `${path}?fields=last_failed_payment`)).body
    expect(failing).toMatchObject({
      status: 'ACTIVE',
      billing_info: { last_failed_payment: { next_payment_retry_time: '2026-04-15T10:00:00Z' } },
    })
    setting.server.advance(11 * DAY_MS)
    const failed = setting.server.events.filter(
      ({ event_type: type }) => type === 'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    )
    expect(failed).toHaveLength(3)
    expect((await setting.call('GET', path)).body).toMatchObject({
      status: 'SUSPENDED',
      billing_info: { outstanding_balance: { value: '10.0' }, failed_payments_count: 1 },
    })
  })

  test('takes another plan of its product with the next cycle, when the payer agrees', async () => {
    await using setting = await paypalSetting()
    const { path } = await approved(setting, setting.plans.pro)
    const { body } = await setting.call('POST', `${path}/revise`, { plan_id: setting.plans.elite })
    await setting.server.approve(body.links[0].href)
    setting.server.advance(32 * DAY_MS)
    expect((await setting.call('GET', path)).body.plan_id).toBe(setting.plans.elite)
    expect(setting.server.books.sumCents()).toBe(3500)
  })
})

describe('a payment', () => {
  test('is refunded in part and in full', async () => {
    await using setting = await paypalSetting()
    const { id } = await approved(setting, setting.plans.pro)
    const capture = `/v2/payments/captures/${setting.server.lastSale(id).id}`
    const part = await setting.call('POST', `${capture}/refund`, {
      amount: { value: '4.00', currency_code: 'USD' },
    })
    expect(part).toMatchObject({ status: 201, body: { status: 'COMPLETED' } })
    expect((await setting.call('GET', capture)).body.status).toBe('PARTIALLY_REFUNDED')
    await setting.call('POST', `${capture}/refund`, {})
    const again = await setting.call('POST', `${capture}/refund`, {})
    expect(again).toMatchObject({
      status: 422,
      body: { details: [{ issue: 'CAPTURE_FULLY_REFUNDED' }] },
    })
    expect(setting.server.events.at(-1)).toMatchObject({
      event_type: 'PAYMENT.SALE.REFUNDED',
      resource: { amount: { total: '-6.00' } },
    })
    expect(setting.server.books.sumCents()).toBe(0)
  })

  test('is reversed when a dispute is lost', async () => {
    await using setting = await paypalSetting()
    const { id } = await approved(setting, setting.plans.pro)
    const dispute = setting.server.dispute(setting.server.lastSale(id).id)
    setting.server.decideDispute(dispute, false)
    expect(setting.server.events.map(({ event_type: type }) => type)).toContain(
      'PAYMENT.SALE.REVERSED',
    )
    expect(
      (await setting.call('GET', `/v1/customer/disputes/${dispute}`)).body.dispute_outcome
        .outcome_code,
    ).toBe('RESOLVED_BUYER_FAVOUR')
    expect(setting.server.books.lines()).toHaveLength(2)
    expect(setting.server.books.sumCents()).toBe(0)
  })
})

describe('requests', () => {
  test('need a token, which ends', async () => {
    await using setting = await paypalSetting()
    expect((await tokenOf(setting.server, 'wrong')).body.error).toBe('invalid_client')
    const authorization = `Bearer ${await setting.token()}`
    const product = () =>
      setting.call('GET', '/v1/catalogs/products/HOMING', undefined, { authorization })
    expect((await product()).status).toBe(200)
    setting.server.advance(DAY_MS)
    expect((await product()).body.name).toBe('AUTHENTICATION_FAILURE')
  })

  test('with the same id are carried out once', async () => {
    await using setting = await paypalSetting()
    const create = (plan: string) =>
      setting.call('POST', '/v1/billing/subscriptions', subscriptionOf(plan), {
        'PayPal-Request-Id': 'checkout-1',
      })
    const [first, second] = [await create(setting.plans.pro), await create(setting.plans.pro)]
    expect(second.body.id).toBe(first.body.id)
    expect((await create(setting.plans.elite)).body.details[0].issue).toBe('DUPLICATE_REQUEST_ID')
  })

  test('have errors in the shape of PayPal', async () => {
    await using setting = await paypalSetting()
    expect(await setting.call('GET', '/v1/billing/subscriptions/I-LOST')).toMatchObject({
      status: 404,
      body: { name: 'RESOURCE_NOT_FOUND' },
    })
    const early = await setting.call(
      'POST',
      '/v1/billing/subscriptions',
      subscriptionOf(setting.plans.pro, { start_time: '2020-01-01T00:00:00Z' }),
    )
    expect(early).toMatchObject({
      status: 400,
      body: { name: 'INVALID_REQUEST', details: [{ field: '/start_time' }] },
    })
    setting.server.faults.fail5xx(1, /plans/)
    expect((await setting.call('GET', '/v1/billing/plans')).status).toBe(503)
    expect(
      (
        await setting.call(
          'GET',
          `/v1/billing/plans?product_id=HOMING&page_size=2&total_required=true`,
        )
      ).body,
    ).toMatchObject({ total_items: 3, plans: [{}, {}] })
  })
})
