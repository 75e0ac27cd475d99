/** The client of Stripe against the local server: prices, trouble, and facts that only Stripe has. */
import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../test/payment-servers/clock.ts'
import { StripeServer } from '../../../../test/payment-servers/stripe-server.ts'
import { ForgedEvent, type WantedPrice } from '../provider.ts'
import { stripeClient, withStripe } from './stripe-client.ts'
import { stripeLibrary } from './stripe-library.ts'
import { stripeProvider } from './stripe.ts'

const START = Date.parse('2026-03-10T09:00:00Z')
const PRO: WantedPrice = {
  id: '1',
  plan: 'pro',
  billing: 'monthly',
  amountCents: 1_000,
  currency: 'USD',
  version: 1,
}
const YEAR: WantedPrice = { ...PRO, id: '2', billing: 'annual', amountCents: 11_000 }

const open: StripeServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function setting() {
  const clock = new TestClock(() => START)
  const server = await StripeServer.start({ clock, signingTime: () => clock.now() })
  open.push(server)
  const config = {
    secretKey: server.secretKey,
    webhookSecret: server.webhookSecret,
    apiBase: new URL(server.origin),
    isTest: true,
    realm: 'local',
  }
  return {
    server,
    provider: stripeProvider(config, () => clock.date()),
    stripe: stripeClient(config),
  }
}

/** A subscription that was paid. */
async function bought({ server, provider }: Awaited<ReturnType<typeof setting>>) {
  const [price] = await provider.setUpPrices([PRO])
  const { url, providerId } = await provider.createCheckout({
    checkoutId: '6a8f9a1e-0000-4000-8000-000000000001',
    priceProviderId: price?.providerId ?? '',
    email: 'ada@example.net',
    customerId: null,
    payer: null,
    startsAt: null,
    successUrl: new URL('http://localhost/payment-success?session_id={CHECKOUT_SESSION_ID}'),
    cancelUrl: new URL('http://localhost/payment-cancelled'),
    expiresAt: new Date(START + 3_600_000),
  })
  await server.pay(url)
  const checkout = await provider.readCheckout(providerId)
  return checkout?.subscriptionId ?? ''
}

describe('prices', () => {
  test('are created once, under their lookup keys', async () => {
    const { server, provider, stripe } = await setting()
    const first = await provider.setUpPrices([PRO, YEAR])
    expect(await provider.setUpPrices([PRO, YEAR])).toEqual(first)
    const { data } = await stripe.prices.list({ lookup_keys: ['price_pro_annual'] })
    expect(data).toMatchObject([
      { id: first[1]?.providerId, unit_amount: 11_000, recurring: { interval: 'year' } },
    ])
    expect(server.calls.filter((call) => call === 'POST /v1/prices')).toHaveLength(2)
  })

  test('are created once, also by calls at the same time', async () => {
    const { server, provider } = await setting()
    const both = await Promise.all([provider.setUpPrices([PRO]), provider.setUpPrices([PRO])])
    expect(both[0]).toEqual(both[1])
    expect(server.world.all('price')).toHaveLength(1)
  })

  test('that differ at Stripe are refused, and nothing is created', async () => {
    const { server, provider, stripe } = await setting()
    const product = await stripe.products.create({ name: 'Pro' })
    await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 999,
      recurring: { interval: 'month' },
      lookup_key: 'price_pro_monthly',
    })
    await expect(provider.setUpPrices([PRO])).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('payments:setup'),
    })
    expect(server.calls.filter((call) => call === 'POST /v1/prices')).toHaveLength(1)
  })

  test('of a later version take the lookup key over', async () => {
    const { provider, stripe } = await setting()
    await provider.setUpPrices([PRO])
    const [next] = await provider.setUpPrices([{ ...PRO, id: '9', amountCents: 1_200, version: 2 }])
    const { data } = await stripe.prices.list({ lookup_keys: ['price_pro_monthly'] })
    expect(data).toMatchObject([{ id: next?.providerId, unit_amount: 1_200 }])
  })
})

describe('trouble', () => {
  test('before anything was sent is unavailable', async () => {
    const { server, provider } = await setting()
    await server.close()
    open.splice(0)
    await expect(provider.read('sub_1')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('after it acted does not make a second checkout', async () => {
    const at = await setting()
    at.server.faults.actThenDrop(1, /POST .*checkout\/sessions/)
    await bought(at)
    expect(at.server.world.all('checkout.session')).toHaveLength(1)
    expect(at.server.books.sumCents()).toBe(1_000)
  })

  test.each([
    ['rateLimit', 'unavailable'],
    ['fail5xx', 'unknown'],
  ] as const)('%s is %s', async (fault, kind) => {
    const { server, provider } = await setting()
    server.faults[fault](5)
    await expect(provider.readCheckout('cs_1')).rejects.toMatchObject({ kind })
  })

  test('of a wrong key is not a refusal: the operator corrects it', async () => {
    const { server } = await setting()
    const provider = stripeProvider(
      {
        secretKey: 'sk_test_wrong',
        webhookSecret: 'whsec_1',
        apiBase: new URL(server.origin),
        isTest: true,
        realm: 'x',
      },
      () => new Date(START),
    )
    await expect(provider.read('sub_1')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('of an empty balance is repeated until the operator has paid in', async () => {
    const { StripeInvalidRequestError } = stripeLibrary().errors
    const error = new StripeInvalidRequestError({
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      statusCode: 400,
    })
    const refund = withStripe(async () => Promise.reject(error))
    await expect(refund).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('does not quote what Stripe quotes', async () => {
    const { provider } = await setting()
    const error: unknown = await provider
      .previewChange({ subscriptionId: 'sub_ada', priceProviderId: 'price_x', when: 'now' })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'refused', code: 'resource_missing' })
    expect(String(error)).not.toContain('sub_ada')
  })
})

describe('a read', () => {
  test('knows nothing of what Stripe does not know', async () => {
    const { provider } = await setting()
    expect(await provider.read('sub_none')).toBeUndefined()
    expect(await provider.readCheckout('cs_none')).toBeUndefined()
    expect(await provider.subscriptionOf('invoice', 'in_none')).toBeUndefined()
    expect(await provider.subscriptionOf('payment', 'ch_none')).toBeUndefined()
  })

  test('finds the subscription of its invoice, payment, refund and dispute', async () => {
    const at = await setting()
    const { provider, server } = at
    const id = await bought(at)
    const read = await provider.read(id)
    const [invoice] = read?.invoices ?? []
    const paymentId = invoice?.paymentId ?? ''
    const refund = await provider.refund(
      { paymentId, amountCents: 400, currency: 'USD', reason: 'test' },
      'duty-1',
    )
    expect(await provider.subscriptionOf('invoice', invoice?.id ?? '')).toBe(id)
    expect(await provider.subscriptionOf('payment', paymentId)).toBe(id)
    expect(await provider.subscriptionOf('refund', refund.id)).toBe(id)
    expect((await provider.read(id))?.invoices[0]?.refunds).toEqual([refund])
    const books = await provider.listPayments(new Date(START - 1), new Date(START + 1_000))
    expect(
      books
        .map(({ kind, providerId, amountCents }) => `${kind} ${providerId} ${amountCents}`)
        .toSorted(),
    ).toEqual(server.books.lines())
  })

  test('says who paid, with which card, and for how long', async () => {
    const at = await setting()
    const id = await bought(at)
    expect(await at.provider.read(id)).toMatchObject({
      standing: 'running',
      checkoutId: '6a8f9a1e-0000-4000-8000-000000000001',
      payer: expect.any(String),
      paymentMethod: 'Visa ending in 4242',
      cardExpiresAt: expect.any(Date),
      periodEnd: new Date('2026-04-10T09:00:00Z'),
      cancelAt: null,
      invoices: [{ kind: 'first', status: 'paid', totalCents: 1_000, currency: 'USD' }],
    })
  })
})

describe('an event', () => {
  async function verified(body: string) {
    const { server, provider } = await setting()
    const timestamp = START / 1_000
    const signature = stripeLibrary().webhooks.generateTestHeaderString({
      payload: body,
      secret: server.webhookSecret,
      timestamp,
    })
    return provider.verifyEvent(Buffer.from(body), { 'stripe-signature': signature })
  }

  test.each([
    [{ object: 'invoice', id: 'in_1' }, 'invoice', 'in_1'],
    [{ object: 'invoice', id: 'in_1', subscription: 'sub_1' }, 'subscription', 'sub_1'],
    [
      { object: 'invoice', parent: { subscription_details: { subscription: 'sub_1' } } },
      'subscription',
      'sub_1',
    ],
    [{ object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, 'payment', 'pi_1'],
    [{ object: 'refund', id: 're_1', payment_intent: null }, 'refund', 're_1'],
    [{ object: 'dispute', id: 'dp_1', payment_intent: 'pi_1' }, 'dispute', 'dp_1'],
  ])('about %j names what to read', async (object, objectKind, objectId) => {
    const event = { id: 'evt_1', type: 'any', created: 1, data: { object } }
    expect(await verified(JSON.stringify(event))).toMatchObject({ objectKind, objectId })
  })

  test.each([
    { data: {} },
    { data: { object: null } },
    // A thin event.
    { object: 'v2.core.event', related_object: { id: 'sub_1', type: 'customer.subscription' } },
  ])('with %j is signed, and names nothing to read', async (fields) => {
    const event = { id: 'evt_1', type: 'any', created: '2026-11-28T10:00:00.000Z', ...fields }
    const read = { id: 'evt_1', type: 'any', objectKind: null, objectId: null }
    expect(await verified(JSON.stringify(event))).toMatchObject(read)
  })

  test.each(['null', '[]', '{"id":"evt_1"}', '{'])('that is %s is refused', async (body) => {
    await expect(verified(body)).rejects.toThrow(ForgedEvent)
  })
})

test('an error of a proxy is never taken for an answer of Stripe', async () => {
  const at = await setting()
  const id = await bought(at)
  at.server.faults.badGateway(8)
  await expect(at.provider.read(id)).rejects.toMatchObject({ kind: 'unknown', code: 'not_stripe' })
  await expect(at.provider.endNow(id, 'end-1')).rejects.toMatchObject({ kind: 'unknown' })
  at.server.faults.clear()
  expect(await at.provider.read(id)).toMatchObject({ standing: 'running' })
})

test('the same refund is made once, also when its answer was lost', async () => {
  const at = await setting()
  const read = await at.provider.read(await bought(at))
  const paymentId = read?.invoices[0]?.paymentId ?? ''
  const order = { paymentId, amountCents: 1_000, currency: 'USD', reason: 'test' }
  at.server.faults.actThenDrop(1, /refunds/)
  const first = await at.provider.refund(order, 'duty-1')
  // Even when Stripe has forgotten the key.
  expect((await at.provider.refund(order, 'duty-2')).id).toBe(first.id)
  expect(at.server.books.sumCents()).toBe(0)
})
