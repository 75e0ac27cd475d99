/**
 * Concurrent calls at two replicas of the api over one database. A credential that is revoked at one replica is refused
 * by the other from the next call on, because no replica caches callers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServices, type Services, stopServices } from '../../src/compose.ts'
import { query } from '../../src/database/sql.ts'
import { PASSWORD, testApp } from '../support/api-world.ts'
import { bearer, call, type Reply } from '../support/calls.ts'
import { expectFeedEqualsTables } from '../support/feed-world.ts'
import type { Holder } from './matrix/belongings.ts'
import { MatrixWorld } from './matrix/matrix-world.ts'

let matrix: MatrixWorld
let other: FastifyInstance
let otherServices: Services

beforeAll(async () => {
  matrix = await MatrixWorld.open()
  const { config } = matrix.world.services
  const knex = matrix.world.feed.connectAgain()
  otherServices = createServices({ config, knex, log: pino({ level: 'silent' }) })
  other = await testApp(otherServices)
  await other.ready()
})
afterAll(async () => {
  await other.close()
  await stopServices(otherServices)
  await matrix.end()
})

const replicas = () => [matrix.world.app, other] as const

/** Makes this many concurrent calls, at both replicas in turn. */
async function atOnce(count: number, make: (app: FastifyInstance, n: number) => Promise<Reply>) {
  const apps = replicas()
  return Promise.all(Array.from({ length: count }, async (_, n) => make(apps[n % 2] ?? other, n)))
}

function statuses(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function count(sql: string, ...values: string[]): Promise<number | undefined> {
  const [row] = await query<{ count: number }>(matrix.world.knex, sql, values)
  return row?.count
}

test('of twenty registrations of one name at two replicas, one succeeds', async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => matrix.world.person(`wanting${n}`)),
  )
  const body = { fqdn: 'wanted.homing.test', record_ip: '198.51.100.7' }
  const replies = await atOnce(20, async (app, n) =>
    call(app, 'POST', '/api/domains', { headers: people[n]?.headers, body }),
  )
  expect(statuses(replies)).toEqual({ 201: 1, 409: 19 })
  expect(await count(`select count(*)::int from domains where fqdn = 'wanted.homing.test'`)).toBe(1)
  await expectFeedEqualsTables(matrix.world.knex)
})

test.each([
  ['domain', ({ its }: Holder) => `/api/domains/${its.domainId}`],
  ['domain, by name', ({ its }: Holder) => `/api/domains/fqdn/${its.fqdn}`],
  ['update token', ({ its }: Holder) => `/api/domains/${its.domainId}/update-token`],
  ['key', ({ its }: Holder) => `/api/api-keys/${its.keyId}`],
  ['trust policy', ({ its }: Holder) => `/api/trust-policies/${its.policyId}`],
  ['session', ({ its }: Holder) => `/api/me/sessions/${its.sessionId}`],
])('a %s that ten calls delete at once is deleted by one', async (_, urlOf) => {
  const holder = await matrix.createHolder()
  const replies = await atOnce(10, async (app) =>
    call(app, 'DELETE', urlOf(holder), { headers: holder.headers }),
  )
  expect(statuses(replies)).toEqual({ 204: 1, 404: 9 })
  await expectFeedEqualsTables(matrix.world.knex)
})

test('a wildcard that ten calls create at once is created by one', async () => {
  const holder = await matrix.createHolder()
  const body = { base_fqdn: holder.its.bareFqdn }
  const replies = await atOnce(10, async (app) =>
    call(app, 'POST', '/api/domains/wildcard', { headers: holder.headers, body }),
  )
  expect(statuses(replies)).toEqual({ 201: 1, 409: 9 })
  await expectFeedEqualsTables(matrix.world.knex)
})

test('a key that ten calls rotate at once has one secret at the end, and one former one', async () => {
  const holder = await matrix.createHolder()
  const url = `/api/api-keys/${holder.its.keyId}/rotate`
  const replies = await atOnce(10, async (app) =>
    call(app, 'POST', url, { headers: holder.headers, body: {} }),
  )
  expect(statuses(replies)).toEqual({ 200: 10 })
  const made = replies.map((reply) => reply.json<{ key: string }>().key)
  const tries = await Promise.all(
    made.map(async (key) => call(other, 'GET', '/api/domains', { headers: bearer(key) })),
  )
  expect(statuses(tries)).toEqual({ 200: 2, 401: 8 })
})

/** How a credential is used, and how it is revoked; each use must succeed before and fail after. */
interface Revocation {
  readonly use: (app: FastifyInstance, holder: Holder) => Promise<boolean>
  readonly revoke: (app: FastifyInstance, holder: Holder) => Promise<Reply>
}

const usesApi =
  (headersOf: (holder: Holder) => Record<string, string>) =>
  async (app: FastifyInstance, holder: Holder) =>
    (await call(app, 'GET', '/api/domains', { headers: headersOf(holder) })).status === 200
const updatesWith =
  (secretOf: (holder: Holder) => string) => async (app: FastifyInstance, holder: Holder) => {
    const search = new URLSearchParams({ hostname: holder.its.fqdn, myip: '203.0.113.7' })
    const headers = { authorization: secretOf(holder) }
    const reply = await call(app, 'GET', `/nic/update?${search.toString()}`, { headers })
    return /^(good|nochg)/.test(reply.text)
  }
const deletes = (urlOf: (holder: Holder) => string) => async (app: FastifyInstance, it: Holder) =>
  call(app, 'DELETE', urlOf(it), { headers: it.headers })
const basicOf = (secret: string) => `Basic ${Buffer.from(`any:${secret}`).toString('base64')}`
const keyUrl = ({ its }: Holder) => `/api/api-keys/${its.keyId}`
const changePassword = async (app: FastifyInstance, { headers }: Holder, fields: object = {}) =>
  call(app, 'POST', '/api/change-password', {
    headers,
    body: { current_password: PASSWORD, new_password: 'a password that is another', ...fields },
  })
const revokeAll = async (app: FastifyInstance, holder: Holder) =>
  changePassword(app, holder, { revoke_credentials: true })

const REVOCATIONS: Record<string, Revocation> = {
  'an API key': { use: usesApi(({ key }) => bearer(key)), revoke: deletes(keyUrl) },
  'an API key at the update URLs': {
    use: updatesWith(({ key }) => basicOf(key)),
    revoke: deletes(keyUrl),
  },
  'an update token': {
    use: updatesWith(({ updateToken }) => basicOf(updateToken)),
    revoke: deletes(({ its }) => `/api/domains/${its.domainId}/update-token`),
  },
  'an API key, with all credentials': { use: usesApi(({ key }) => bearer(key)), revoke: revokeAll },
  'an update token, with all credentials': {
    use: updatesWith(({ updateToken }) => basicOf(updateToken)),
    revoke: revokeAll,
  },
  'a password at the update URLs': {
    use: updatesWith(({ basic }) => basic),
    revoke: changePassword,
  },
  'a session that signs out': {
    use: usesApi(({ headers }) => headers),
    revoke: async (app, { headers }) => call(app, 'POST', '/api/logout', { headers }),
  },
  'a session of an account that is disabled': {
    use: usesApi(({ headers }) => headers),
    async revoke(app, { its }) {
      const { headers } = await matrix.world.person(`office${matrix.nonce()}`, 'admin')
      const body = { enabled: false }
      return call(app, 'PUT', `/api/admin/users/${its.userId}`, { headers, body })
    },
  },
}

test.each(Object.entries(REVOCATIONS))(
  '%s that is revoked at one replica is refused by the other from the next call on',
  async (_, { use, revoke }) => {
    const holder = await matrix.createHolder()
    const [here, there] = replicas()
    // Both replicas know the credential, if they remember anything.
    for (const app of [here, there, here, there]) expect(await use(app, holder)).toBe(true)
    let isRevoked = false
    const late: boolean[] = []
    /** A client that never stops; only calls that begin after the response must fail. */
    async function client(): Promise<void> {
      for (let after = 0; after < 3;) {
        // A call that is refused without a query never yields to the event loop.
        await nextTurn()
        const beganAfter = isRevoked
        const isTaken = await use(there, holder)
        if (!beganAfter) continue
        late.push(isTaken)
        after += 1
      }
    }
    const clients = [client(), client(), client(), client()]
    const reply = await revoke(here, holder)
    isRevoked = true
    await Promise.all(clients)
    expect(reply.status).toBeLessThan(300)
    expect(late).toEqual(Array.from({ length: 12 }, () => false))
  },
)

test('a plan that changes while names are updated: each name has the TTL of the plan', async () => {
  const holder = await matrix.createHolder()
  const { headers: office } = await matrix.world.person('officer', 'admin')
  const plans = ['free', 'pro', 'elite', 'free', 'elite', 'free'] as const
  const change = async () => {
    for (const account_type of plans) {
      const body = { account_type }
      const url = `/api/admin/users/${holder.its.userId}`
      expect((await call(matrix.world.app, 'PUT', url, { headers: office, body })).status).toBe(200)
    }
  }
  const update = async () =>
    atOnce(40, async (app, n) => {
      const id = n % 3 === 0 ? holder.its.bareId : holder.its.domainId
      const body = { record_ipv4: `203.0.113.${n + 1}` }
      return call(app, 'PUT', `/api/domains/${id}`, { headers: holder.headers, body })
    })
  const [, replies] = await Promise.all([change(), update()])
  expect(statuses(replies)).toEqual({ 200: 40 })
  const odd = `select count(*)::int from domains d join users u on u.id = d.user_id
               join plans p on p.account_type = u.account_type
               where d.user_id = ? and (d.ttl <> p.ttl_seconds or d.owner_blocked)`
  expect(await count(odd, holder.its.userId)).toBe(0)
  await expectFeedEqualsTables(matrix.world.knex)
})
