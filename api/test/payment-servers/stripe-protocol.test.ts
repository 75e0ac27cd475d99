import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
// oxlint-disable-next-line import/no-named-as-default -- The SDK's own documentation imports it so.
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { bought, clientOf, stripeSetting } from './stripe-client.ts'

describe('requests', () => {
  test('need the key and the version', async () => {
    await using setting = await stripeSetting()
    const wrong = new Stripe('sk_test_wrong', {
      host: '127.0.0.1',
      port: new URL(setting.server.origin).port,
      protocol: 'http',
      maxNetworkRetries: 0,
    })
    await expect(wrong.products.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
    const old = setting.stripe.products.list({}, { apiVersion: '2024-06-20' })
    await expect(old).rejects.toThrow('Invalid Stripe API version')
  })

  test('with the same key have the same answer, and other parameters are refused', async () => {
    await using setting = await stripeSetting()
    const create = (email: string) =>
      setting.stripe.customers.create({ email }, { idempotencyKey: 'customer-1' })
    const [first, second] = [await create('ada@example.com'), await create('ada@example.com')]
    expect(second.id).toBe(first.id)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    await expect(create('eve@example.com')).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
  })

  test('have errors in the shape of Stripe', async () => {
    await using setting = await stripeSetting()
    const lost = setting.stripe.subscriptions.retrieve('sub_lost')
    await expect(lost).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      type: 'StripeInvalidRequestError',
      requestId: expect.stringMatching(/^req_/),
    })
    const removed = {
      mode: 'subscription',
      payment_method_types: ['card'],
    } as Stripe.Checkout.SessionCreateParams
    await expect(setting.stripe.checkout.sessions.create(removed)).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'payment_method_types',
    })
    await expect(
      setting.stripe.customers.retrieve('cus_1', { expand: ['nothing'] }),
    ).rejects.toMatchObject({ statusCode: 404 })
  })

  test('list in pages, newest first', async () => {
    await using setting = await stripeSetting()
    for (let n = 0; n < 25; n += 1) await setting.stripe.customers.create({ name: `n${n}` })
    const names: (string | null | undefined)[] = []
    for await (const customer of setting.stripe.customers.list({ limit: 10 }))
      names.push(customer.name)
    expect(names).toEqual(Array.from({ length: 25 }, (_, n) => `n${24 - n}`))
  })

  test('move a lookup key only when they say so', async () => {
    await using setting = await stripeSetting()
    const next = {
      product: 'homing_pro',
      currency: 'usd',
      unit_amount: 1200,
      recurring: { interval: 'month' as const },
      lookup_key: 'price_pro_monthly',
    }
    await expect(setting.stripe.prices.create(next)).rejects.toThrow('already uses that lookup key')
    const moved = await setting.stripe.prices.create({ ...next, transfer_lookup_key: true })
    const found = await setting.stripe.prices.list({
      lookup_keys: ['price_pro_monthly'],
      expand: ['data.product'],
    })
    expect(found.data.map(({ id }) => id)).toEqual([moved.id])
    expect(found.data[0]?.product).toMatchObject({ name: 'Pro' })
  })
})

describe('faults', () => {
  test('fail, limit, close and act without an answer', async () => {
    await using setting = await stripeSetting()
    const { server } = setting
    const stripe = clientOf(server, { timeout: 100 })
    server.faults.fail5xx(1)
    await expect(stripe.customers.list()).rejects.toMatchObject({
      statusCode: 500,
      type: 'StripeAPIError',
    })
    server.faults.rateLimit(1)
    await expect(stripe.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeRateLimitError)
    server.faults.actThenTimeOut(1, /^POST .v1.customers/)
    const create = () =>
      stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'once' })
    await expect(create()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
    await create()
    expect((await stripe.customers.list({ email: 'ada@example.com' })).data).toHaveLength(1)
    server.faults.slow(1000, 1)
    await expect(stripe.customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    )
    server.faults.down = true
    await expect(stripe.customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    )
    server.faults.clear()
    await expect(stripe.customers.list()).resolves.toBeDefined()
  })
})

/** A receiver that verifies as the service does, and fails now and then. */
async function receiver(secret: string, failsEvery: number) {
  const accepted: string[] = []
  let calls = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      calls += 1
      try {
        const signature = String(request.headers['stripe-signature'] ?? '')
        const event = Stripe.webhooks.constructEvent(Buffer.concat(parts), signature, secret)
        response.statusCode = calls % failsEvery === 0 ? 503 : 204
        if (response.statusCode === 204) accepted.push(event.id)
      } catch {
        response.statusCode = 400
      }
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, accepted, [Symbol.asyncDispose]: async () => void server.close() }
}

describe('deliveries', () => {
  test('arrive at least once in any order, and no forgery passes', async () => {
    await using setting = await stripeSetting()
    await using hooks = await receiver(setting.server.webhookSecret, 5)
    const { deliveries, events: before } = setting.server
    deliveries.url = hooks.url
    deliveries.duplicate(3)
    deliveries.shuffle()
    deliveries.delay(5)
    deliveries.forge(50)
    deliveries.hold()
    for (let n = 0; n < 5; n += 1) await bought(setting, setting.prices.pro)
    deliveries.release()
    await deliveries.idle()
    const sent = setting.server.events.slice(before.length).map(({ id }) => id)
    expect(new Set(hooks.accepted)).toEqual(new Set(sent))
    expect(hooks.accepted).toHaveLength(sent.length * 3)
    expect(hooks.accepted.slice(0, sent.length)).not.toEqual(sent)
    expect(deliveries.answers).toContain(503)
    expect(deliveries.forgedAnswers.length).toBeGreaterThan(10)
    expect(new Set(deliveries.forgedAnswers)).toEqual(new Set([400]))
    expect(deliveries.lost).toEqual([])
  })
})
