/** The client of Stripe where answers lack fields, have them elsewhere, or where a call does not exist. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../test/payment-servers/clock.ts'
import { StripeServer } from '../../../../test/payment-servers/stripe-server.ts'
import { leanStripe, type Shape } from '../../../test/support/lean-stripe.ts'
import type { PaymentProvider, ReadSubscription, WantedPrice } from '../provider.ts'
import { stripeProvider } from './stripe.ts'

const START = Date.parse('2026-03-10T09:00:00Z')
const CHECKOUT = '6a8f9a1e-0000-4000-8000-000000000001'
const PRO: WantedPrice = {
  id: '1',
  plan: 'pro',
  billing: 'monthly',
  amountCents: 1_000,
  currency: 'USD',
  version: 1,
}
const ELITE: WantedPrice = { ...PRO, id: '2', plan: 'elite', amountCents: 2_500 }

interface Setting extends AsyncDisposable {
  readonly server: StripeServer
  readonly provider: PaymentProvider
}

async function setting(how: {
  readonly shape?: Shape
  readonly without?: RegExp
}): Promise<Setting> {
  const clock = new TestClock(() => START)
  const server = await StripeServer.start({ clock, signingTime: () => clock.now() })
  const door = await leanStripe(server.origin, how)
  const { secretKey, webhookSecret } = server
  const apiBase = new URL(door.origin)
  const provider = stripeProvider(
    { secretKey, webhookSecret, apiBase, isTest: true, realm: 'local' },
    () => clock.date(),
  )
  return {
    server,
    provider,
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

/** Buys a plan with billing details. @returns the subscription */
async function bought({ server, provider }: Setting): Promise<string> {
  const [price] = await provider.setUpPrices([PRO, ELITE])
  const { url, providerId } = await provider.createCheckout({
    checkoutId: CHECKOUT,
    priceProviderId: price?.providerId ?? '',
    email: 'ada@example.net',
    customerId: null,
    payer: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.net',
      address: '12 Example Street',
      city: 'Springfield',
      state: 'IL',
      zipCode: '62701',
      country: 'US',
    },
    startsAt: null,
    successUrl: new URL('http://localhost/payment-success?session_id={CHECKOUT_SESSION_ID}'),
    cancelUrl: new URL('http://localhost/payment-cancelled'),
    expiresAt: new Date(START + 3_600_000),
  })
  await server.pay(url)
  return (await provider.readCheckout(providerId))?.subscriptionId ?? ''
}

/** What plans and money depend on. */
const essence = (read: ReadSubscription | undefined) => ({
  standing: read?.standing,
  checkoutId: read?.checkoutId,
  startedAt: read?.startedAt,
  periodEnd: read?.periodEnd,
  cancelAt: read?.cancelAt,
  endedAt: read?.endedAt,
  invoices: read?.invoices.map(({ kind, status, totalCents, paidCents, paidAt, refunds }) => ({
    kind,
    status,
    totalCents,
    paidCents,
    paidAt,
    refunds: refunds.map(({ amountCents }) => amountCents),
  })),
})

/** Everything that can be done with a subscription, and what is read meanwhile. */
async function life(at: Setting): Promise<unknown[]> {
  const { provider, server } = at
  const id = await bought(at)
  const reads = [essence(await provider.read(id))]
  const [, elite] = await provider.setUpPrices([PRO, ELITE])
  const [pro] = await provider.setUpPrices([PRO])
  const up = { subscriptionId: id, priceProviderId: elite?.providerId ?? '', when: 'now' as const }
  const preview = await provider.previewChange(up)
  const changed = await provider.changePrice(up, 'change-1')
  await provider.changePrice(
    { ...up, priceProviderId: pro?.providerId ?? '', when: 'period-end' },
    'change-2',
  )
  const { nextPriceProviderId } = (await provider.read(id)) ?? {}
  await provider.cancelAtPeriodEnd(id, 'duty-1')
  reads.push(essence(await provider.read(id)))
  await provider.resume(id, 'duty-2')
  const read = await provider.read(id)
  const latest = read?.invoices.find(({ kind }) => kind === 'change')
  const order = { amountCents: 1_500, currency: 'USD', reason: 'test' }
  await provider.refund({ ...order, paymentId: latest?.paymentId ?? '' }, 'duty-3')
  reads.push(essence(await provider.read(id)))
  await provider.endNow(id, 'duty-4')
  reads.push(essence(await provider.read(id)))
  const isDowngraded = nextPriceProviderId === pro?.providerId
  return [preview, changed, isDowngraded, server.books.sumCents(), ...reads]
}

describe('the life of a subscription is the same', () => {
  let usual: unknown[] = []
  beforeAll(async () => {
    await using at = await setting({})
    usual = await life(at)
  })

  test.each([
    { how: 'where nothing is expanded and optional fields are missing', shape: 'sparse' },
    { how: 'where fields are in their older places', shape: 'older' },
    { how: 'without charges', without: /v1\/charges/ },
    { how: 'without payments of invoices', shape: 'older', without: /v1\/invoice_payments/ },
    { how: 'without one list of charges', without: /GET \/v1\/charges$/ },
    { how: 'without products', without: /v1\/products/ },
    { how: 'without customers that are made before the checkout', without: /POST \/v1\/customers/ },
  ] as const)('$how', async (lean) => {
    await using at = await setting(lean)
    expect(await life(at)).toEqual(usual)
  })
})

describe('the subscription of a payment is found', () => {
  let at: Setting
  let id: string
  beforeAll(async () => {
    at = await setting({ without: /v1\/invoice_payments/ })
    id = await bought(at)
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  test('by its customer, where its invoice is not named', async () => {
    const [charge] = at.server.world.all('charge')
    expect(await at.provider.subscriptionOf('payment', charge?.id ?? '')).toBe(id)
  })

  test('and it has the checkout that made it, also without a note of ours', async () => {
    at.server.world.need('subscription', id).metadata = {}
    expect((await at.provider.read(id))?.checkoutId).toBe(CHECKOUT)
  })
})

test('a dispute that an event names counts, also if its charge does not show it yet', async () => {
  await using at = await setting({ without: /GET \/v1\/disputes$/ })
  const id = await bought(at)
  const [charge] = at.server.world.all('charge')
  const disputeId = at.server.dispute(charge?.id ?? '')
  at.server.world.need('charge', charge?.id ?? '').disputed = false
  const disputesOf = async (hints?: { disputeId: string }) =>
    (await at.provider.read(id, hints))?.invoices.flatMap(({ disputes }) => disputes)
  expect(await disputesOf()).toEqual([])
  expect(await disputesOf({ disputeId })).toMatchObject([{ id: disputeId, status: 'open' }])
})
