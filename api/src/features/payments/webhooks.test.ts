/** Webhooks of Stripe: only signed and fresh events are stored, each once, and nothing of them is believed. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Stripe } from 'stripe'
import { useStripeWorld } from '../../../test/support/stripe-world.ts'
import { query } from '../../database/sql.ts'
import { applyPendingEvents } from '../../payments/events.ts'

const use = useStripeWorld()
let events = 0

afterEach(() => vi.restoreAllMocks())

interface Forged {
  readonly type?: string
  readonly object?: object
  readonly secret?: string
  readonly ageSeconds?: number
}

/** A signed event about an object. */
function signed({ type = 'customer.created', object, secret, ageSeconds = 0 }: Forged = {}) {
  const { t } = use
  events += 1
  const id = `evt_test_${events}`
  const payload = JSON.stringify({
    id,
    object: 'event',
    type,
    created: t.server.clock.seconds(),
    data: { object: object ?? { id: 'cus_1', object: 'customer' } },
  })
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? t.server.webhookSecret,
    timestamp: t.server.clock.seconds() - ageSeconds,
  })
  return { id, payload, headers: { 'stripe-signature': signature } }
}

async function stored(id: string) {
  const rows = await query<{ state: string }>(
    use.t.world.knex,
    'select state from payment_events where event_id = ?',
    [id],
  )
  return rows.map(({ state }) => state)
}

test('an event is stored once, however often it comes', async () => {
  const { t } = use
  const { id, payload, headers } = signed()
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => t.webhook(payload, headers)),
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204])
  expect(await stored(id)).toEqual(['ignored'])
  expect(t.world.services.webhookCounts.entries()).toContainEqual({
    provider: 'stripe',
    outcome: 'repeated',
    count: 4,
  })
})

test('events that come together are each stored, and one that cannot be stored fails alone', async () => {
  const { t } = use
  const events = Array.from({ length: 8 }, () => signed())
  const unstorable = signed({ type: 'a\0b' })
  const answers = await Promise.all(
    [...events, unstorable].map(async ({ payload, headers }) => t.webhook(payload, headers)),
  )
  expect(answers.map(({ status }) => status)).toEqual([...events.map(() => 204), 500])
  for (const { id } of events) expect(await stored(id)).toEqual(['ignored'])
  expect(await stored(unstorable.id)).toEqual([])
})

test('an event that is signed with two secrets, while one is replaced, is accepted', async () => {
  const { payload, headers } = signed()
  const [time, own] = headers['stripe-signature'].split(',')
  const other = signed({ secret: 'whsec_of_before' }).headers['stripe-signature'].split(',')[1]
  const both = { 'stripe-signature': [time, other, own].join(',') }
  expect((await use.t.webhook(payload, both)).status).toBe(204)
})

test.each([0, 299, -299])('a signature of %d s ago is fresh', async (ageSeconds) => {
  const { payload, headers } = signed({ ageSeconds })
  expect((await use.t.webhook(payload, headers)).status).toBe(204)
})

describe('an event is refused', () => {
  test.each([
    ['without a signature', () => ({ ...signed(), headers: {} })],
    ['signed by somebody else', () => signed({ secret: 'whsec_of_somebody' })],
    ['that is too old', () => signed({ ageSeconds: 302 })],
    ['of the future', () => signed({ ageSeconds: -302 })],
    ['with another body', () => ({ ...signed(), payload: signed().payload })],
    [
      'with one more space',
      () => {
        const event = signed()
        return { ...event, payload: `${event.payload} ` }
      },
    ],
    ['that is empty', () => ({ ...signed(), payload: '' })],
  ])('%s', async (_, make) => {
    const { id, payload, headers } = make()
    const reply = await use.t.webhook(payload, headers)
    expect(reply.json()).toMatchObject({
      status: 400,
      code: 'webhook-refused',
      detail: expect.stringContaining('sent by Stripe at most 5 minutes ago'),
    })
    expect(await stored(id)).toEqual([])
  })

  test('when it is larger than 1 MiB', async () => {
    const { headers } = signed()
    const reply = await use.t.webhook('x'.repeat(1024 * 1024 + 1), headers)
    expect(reply.status).toBe(413)
  })

  test('of a provider without keys', async () => {
    const { t } = use
    const reply = await t.world.app.inject({
      method: 'POST',
      url: '/api/payments/webhooks/paypal',
      payload: '{}',
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('sent by PayPal at most 4 days ago')
  })
})

test('a body of almost 1 MiB, which is not JSON by its type, is read as it is', async () => {
  const { t } = use
  const { payload, headers } = signed({ object: { object: 'customer', note: 'é'.repeat(500_000) } })
  const reply = await t.webhook(payload, { ...headers, 'content-type': 'text/plain' })
  expect(reply.status).toBe(204)
})

test('an event about an account that is unknown is kept for administrators', async () => {
  const { t } = use
  const customer = t.server.world.all('customer')[0]
  expect(customer).toBeUndefined()
  const session = await t.checkout(await t.person())
  await t.server.pay(session)
  await query(t.world.knex, 'delete from checkouts')
  await t.deliver()
  await applyPendingEvents(t.world.services)
  const rows = await query<{ state: string }>(
    t.world.knex,
    `select distinct state from payment_events where type = 'customer.subscription.created'`,
  )
  expect(rows).toEqual([{ state: 'unknown-account' }])
})

test('what an event says is not believed', async () => {
  const { t } = use
  const ada = await t.person()
  const object = { id: 'sub_invented', object: 'subscription', status: 'active' }
  const { id, payload, headers } = signed({ type: 'customer.subscription.created', object })
  expect((await t.webhook(payload, headers)).status).toBe(204)
  await applyPendingEvents(t.world.services)
  expect(await stored(id)).toEqual(['ignored'])
  expect(await t.planOf(ada)).toBe('free')
})

test('without the database, an event is answered 503, so that it is sent again', async () => {
  const { t } = use
  const { payload, headers } = signed()
  vi.spyOn(t.world.knex, 'raw').mockImplementation(() => {
    throw Object.assign(new Error('Connection terminated'), { code: '57P01' })
  })
  expect((await t.webhook(payload, headers)).status).toBe(503)
})
