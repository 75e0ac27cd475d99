/** Repeated actions of one account that leave data behind each time, or notify its owner by mail, are limited. */
import type { ApiKey, Domain } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from '../support/api-world.ts'
import { syncSubscription } from '../../src/payments/sync.ts'
import { MemoryProvider } from '../support/memory-provider.ts'
import { call, type Method, problemOf, type Reply } from '../support/calls.ts'

let world: ApiWorld
const now = () => new Date()
const stripe = new MemoryProvider('stripe', now)
let ada: Caller
let bob: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true }, { payments: { stripe } })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`)
  bob = await world.person(`bob${people}`)
  await query(world.knex, 'truncate rate_limits')
})

const as = ({ headers }: Caller, method: Method, url: string, body?: unknown): Promise<Reply> =>
  call(world.app, method, url, { headers, ...(body === undefined ? {} : { body }) })

/** Sets the counter as if it had happened this many times within the hour. */
const happened = (limit: string, times: number) =>
  query(world.knex, 'update rate_limits set points = points + ? where key like ?', [
    times,
    `${limit}:%`,
  ])

const mails = async ({ id }: Caller) => {
  const sql = `select 1 from pgboss.job where name = 'mail' and data ->> 'userId' = ?`
  return (await query(world.knex, sql, [id])).length
}

test('names can be registered a thousand times in an hour', async () => {
  const register = (who: Caller, label: string) =>
    as(who, 'POST', '/api/domains', { fqdn: `${label}${people}.homing.test` })
  expect((await register(ada, 'one')).status).toBe(201)
  await happened('new-names-account', 998)
  expect((await register(ada, 'two')).status).toBe(201)
  expect(problemOf(await register(ada, 'three')).code).toBe('rate-limited')
  expect((await register(bob, 'four')).status).toBe(201)
  // A wildcard is a name as well.
  const base_fqdn = `one${people}.homing.test`
  const wildcard = await as(ada, 'POST', '/api/domains/wildcard', { base_fqdn })
  expect(problemOf(wildcard).code).toBe('rate-limited')
})

test('targets of web forwards can be checked 120 times in an hour', async () => {
  const target_url = 'https://www.example.com/'
  const check = (who: Caller) => as(who, 'POST', '/api/webforward/check', { target_url })
  expect((await check(ada)).status).toBe(200)
  await happened('forward-checks-account', 119)
  expect(problemOf(await check(ada)).code).toBe('rate-limited')
  expect((await check(bob)).status).toBe(200)
})

test('payments can begin sixty times in an hour', async () => {
  const begin = (who: Caller) =>
    as(who, 'POST', '/api/create-checkout-session', { plan: 'pro', billing: 'monthly' })
  expect((await begin(ada)).status).toBe(200)
  await happened('checkouts-account', 59)
  expect(problemOf(await begin(ada)).code).toBe('rate-limited')
  expect((await begin(bob)).status).toBe(200)
})

test('the provider of a subscription can be called 300 times in an hour', async () => {
  const buy = async (who: Caller) => {
    await as(who, 'POST', '/api/create-checkout-session', { plan: 'pro', billing: 'monthly' })
    const [row] = await query<{ id: string }>(
      world.knex,
      'select id from checkouts where user_id = ?',
      [who.id],
    )
    await syncSubscription(world.services, 'stripe', stripe.pay(row?.id ?? '', 'pro_monthly'))
  }
  for (const who of [ada, bob]) await buy(who)
  const page = (who: Caller) => as(who, 'POST', '/api/payments/update-payment-method')
  expect((await page(ada)).status).toBe(200)
  await happened('provider-calls-account', 299)
  expect(problemOf(await page(ada)).code).toBe('rate-limited')
  expect(problemOf(await as(ada, 'POST', '/api/payments/refund')).code).toBe('rate-limited')
  expect((await page(bob)).status).toBe(200)
})

test('notifications that test a monitor can be sent five times in an hour', async () => {
  const made = await as(ada, 'POST', '/api/domains', { fqdn: `watched${people}.homing.test` })
  const url = `/api/uptime/domain/${made.json<Domain>().id}/test-notification`
  expect((await as(ada, 'POST', url)).status).toBe(202)
  await happened('monitor-tests-account', 4)
  expect(problemOf(await as(ada, 'POST', url)).code).toBe('rate-limited')
})

test('changes of keys and second factors, which are notified by mail, can happen sixty times in an hour, and are refused beyond that', async () => {
  const made = await as(ada, 'POST', '/api/api-keys/', { name: 'pipeline' })
  const { id } = made.json<ApiKey>()
  await happened('notices-account', 58)
  expect((await as(ada, 'POST', `/api/api-keys/${id}/rotate`, {})).status).toBe(200)
  const told = await mails(ada)
  expect(told).toBe(2)
  const refused = [
    await as(ada, 'POST', '/api/api-keys/', { name: 'another' }),
    await as(ada, 'POST', `/api/api-keys/${id}/rotate`, {}),
    await as(ada, 'POST', '/api/trust-policies/', {
      name: 'deploy',
      issuer: 'https://gitlab.example',
      repository: 'ada/home',
    }),
    await as(ada, 'POST', '/api/me/totp'),
    await as(ada, 'DELETE', '/api/me/totp'),
    await as(ada, 'POST', '/api/me/recovery-codes'),
    await as(ada, 'POST', '/api/me/passkeys/options'),
    await as(ada, 'DELETE', '/api/me/passkeys/1'),
  ]
  expect(refused.map((reply) => problemOf(reply).code)).toEqual(refused.map(() => 'rate-limited'))
  expect(await mails(ada)).toBe(told)
  // Operations that only remove things still work, and so do those of all other accounts.
  expect((await as(ada, 'DELETE', `/api/api-keys/${id}`)).status).toBe(204)
  expect((await as(bob, 'POST', '/api/api-keys/', { name: 'his' })).status).toBe(201)
})
