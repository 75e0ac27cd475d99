import type { ApiKey, CreatedApiKey } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { type Caller } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { authenticateKey } from '../../credentials/api-key.ts'
import { hasSecretForm } from '../../rules/secrets.ts'
import { query } from '../../database/sql.ts'

const t = useAccountWorld()

const list = async ({ headers }: Caller, url = '/api/api-keys/') =>
  (await call(t.world.app, 'GET', url, { headers })).json<ApiKey[]>()
const create = ({ headers }: Caller, body: object, url = '/api/api-keys/') =>
  call(t.world.app, 'POST', url, { headers, body })
const remove = ({ headers }: Caller, id: string) =>
  call(t.world.app, 'DELETE', `/api/api-keys/${id}`, { headers })
const made = async (caller: Caller) => (await create(caller, { name: 'ci' })).json<CreatedApiKey>()

/** Uses a key and waits until its use is recorded, which happens shortly after the response. */
async function use(key: string): Promise<void> {
  await authenticateKey(t.world.services, key, { ip: '192.0.2.1', client: null })
  await t.world.services.secretUses.flush()
}

test('a key is shown once, and stored as a digest', async () => {
  const reply = await create(t.ada, { name: '  my router ' })
  expect(reply.status).toBe(201)
  expect(reply.headers['cache-control']).toBe('no-store')
  const { key, ...known } = reply.json<CreatedApiKey>()
  expect(hasSecretForm(key)).toBe(true)
  expect(known).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'my router',
    prefix: key.slice(0, 10),
    scope: { domains: null, actions: null, record_types: null, networks: null },
    created_at: t.clock.toISOString(),
    expires_at: null,
    unused_days: null,
    version: 1,
    is_expired: false,
    last_used_at: null,
    last_used_ip: null,
    last_client: null,
    rotated_at: null,
    former_secret: null,
  })
  expect(await list(t.ada)).toEqual([known])
  const rows = await query<{ text: string }>(t.world.knex, 'select k::text as text from api_keys k')
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(key.slice(10))
})

test('the URL is the same without its slash', async () => {
  expect((await create(t.ada, { name: 'ci' }, '/api/api-keys')).status).toBe(201)
  expect(await list(t.ada, '/api/api-keys')).toHaveLength(1)
})

describe('a name', () => {
  test.each(['', '   ', '\u00a0'])('%j is invalid', async (name) => {
    const problem = problemOf(await create(t.ada, { name }))
    expect(problem).toMatchObject({
      status: 422,
      detail: 'Please enter a name for the API key',
      errors: [{ field: 'name', message: 'Please enter a name for the API key' }],
    })
  })

  test.each(['x'.repeat(51), 'a\nb', 'nul\0', '\ud800', 7, null, ['a'], { a: 1 }])(
    '%j is refused',
    async (name) => {
      const reply = await create(t.ada, { name })
      expect(reply.status).toBe(422)
      expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'name' })])
      expect(await list(t.ada)).toEqual([])
    },
  )

  test.each(['x'.repeat(50), '🏠'.repeat(50), '<script>alert(1)</script>'])(
    '%j is accepted unchanged',
    async (name) => {
      expect((await create(t.ada, { name })).json()).toMatchObject({ name })
    },
  )

  test('other fields are refused', async () => {
    const problem = problemOf(await create(t.ada, { name: 'ci', user_id: t.bob.id }))
    expect(problem.errors).toEqual([expect.objectContaining({ field: 'user_id' })])
  })
})

describe('the list', () => {
  const page = ({ headers }: Caller, parameters: Record<string, unknown>) => {
    const query = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      JSON.stringify(value),
    ])
    const search = new URLSearchParams(query)
    return call(t.world.app, 'GET', `/api/api-keys/?${search.toString()}`, { headers })
  }
  const shown = (reply: Reply) =>
    `${reply
      .json<ApiKey[]>()
      .map(({ name }) => name)
      .join(' ')}; ${String(reply.headers['content-range'])}`

  beforeEach(async () => {
    for (const name of ['beta', 'Alpha', 'gamma', '50%']) {
      await create(t.ada, { name })
      t.clock = new Date(t.clock.getTime() + 1_000)
    }
    await create(t.bob, { name: 'beta' })
  })

  test.each([
    [{}, 'beta Alpha gamma 50%; api-keys 0-3/4'],
    [{ sort: ['name', 'ASC'] }, '50% Alpha beta gamma; api-keys 0-3/4'],
    [{ sort: ['created_at', 'DESC'] }, '50% gamma Alpha beta; api-keys 0-3/4'],
    [{ range: [1, 2] }, 'Alpha gamma; api-keys 1-2/4'],
    [{ sort: ['name', 'DESC'], range: [3, 9] }, '50%; api-keys 3-3/4'],
    [{ limit: 1 }, 'beta; api-keys 0-0/4'],
    [{ filter: { q: 'ALPH' } }, 'Alpha; api-keys 0-0/1'],
    [{ filter: { q: '%' } }, '50%; api-keys 0-0/1'],
    [{ filter: { q: 'nothing' } }, '; api-keys */0'],
  ])('%j gives %s', async (parameters, expected) => {
    const reply = await page(t.ada, parameters)
    expect(reply.status).toBe(200)
    expect(shown(reply)).toBe(expected)
  })

  test('used keys are sorted by their last use, before unused ones', async () => {
    const { key } = await made(t.ada)
    await use(key)
    for (const order of ['ASC', 'DESC']) {
      const reply = await page(t.ada, { sort: ['last_used_at', order] })
      expect(reply.json<ApiKey[]>()[0]?.name).toBe('ci')
    }
  })

  test('only the caller’s own keys are found, by id or prefix', async () => {
    const own = await list(t.ada)
    const [foreign] = await list(t.bob)
    const reply = await page(t.ada, { filter: { id: [own[1]?.id, foreign?.id] } })
    expect(shown(reply)).toBe('Alpha; api-keys 0-0/1')
    const byPrefix = await page(t.ada, { filter: { q: own[2]?.prefix } })
    expect(shown(byPrefix)).toBe('gamma; api-keys 0-0/1')
  })

  test.each([
    [{ sort: ['secret_digest', 'ASC'] }, 'sort'],
    [{ sort: 'name' }, 'sort'],
    [{ range: [5, 1] }, 'range'],
    [{ filter: { user_id: '1' } }, 'filter.user_id'],
    [{ filter: { id: 'x' } }, 'filter.id'],
    [{ filter: { q: 7 } }, 'filter.q'],
  ])('%j is refused', async (parameters, field) => {
    const problem = problemOf(await page(t.ada, parameters))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test('a range after the last key is refused', async () => {
    const problem = problemOf(await page(t.ada, { range: [4, 9] }))
    expect(problem).toMatchObject({ status: 416, code: 'range-not-satisfiable' })
  })
})

test('a plan without keys cannot list or create any', async () => {
  const free = await t.world.person(`free${t.people}`, 'free')
  for (const reply of [
    await create(free, { name: 'ci' }),
    await call(t.world.app, 'GET', '/api/api-keys/', { headers: free.headers }),
  ]) {
    expect(reply.status).toBe(403)
    expect(problemOf(reply).code).toBe('plan-required')
  }
})

test('an account has at most fifty keys, also with concurrent calls', async () => {
  await query(
    t.world.knex,
    `insert into api_keys (user_id, name, prefix, secret_digest)
     select ?, 'old', 'ak_', sha256((?::text || n)::bytea) from generate_series(1, 49) n`,
    [t.ada.id, t.ada.id],
  )
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => create(t.ada, { name: 'new' })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect(problemOf(reply)).toMatchObject({ status: 403, code: 'key-limit' })
  }
})

test('a deleted key is refused at once', async () => {
  const { id, key } = await made(t.ada)
  const headers = { authorization: `Bearer ${key}` }
  expect((await call(t.world.app, 'GET', '/api/domains', { headers })).status).toBe(200)
  expect((await remove(t.ada, id)).status).toBe(204)
  expect((await call(t.world.app, 'GET', '/api/domains', { headers })).status).toBe(401)
  expect((await remove(t.ada, id)).status).toBe(404)
})

test('another account’s key gets the response for one that does not exist', async () => {
  const { id } = await made(t.bob)
  const foreign = problemOf(await remove(t.ada, id))
  const missing = problemOf(await remove(t.ada, '999999999'))
  expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' })
  expect(foreign.status).toBe(404)
  expect(await list(t.bob)).toHaveLength(1)
  expect(await list(t.ada)).toEqual([])
})

test.each(['0', '-1', '1.5', 'abc', '1%20or%201=1', '9'.repeat(30)])(
  'the id %s is invalid',
  async (id) => {
    const problem = problemOf(await remove(t.ada, id))
    expect(problem).toMatchObject({ status: 422, errors: [{ field: 'id' }] })
  },
)

test('its use is recorded, once a minute', async () => {
  const { key } = await made(t.ada)
  const lastUse = async () => (await list(t.ada))[0]?.last_used_at
  const began = t.clock
  await use(key)
  expect(await lastUse()).toBe(began.toISOString())
  t.clock = new Date(began.getTime() + 59_000)
  await use(key)
  expect(await lastUse()).toBe(began.toISOString())
  t.clock = new Date(began.getTime() + 60_000)
  await use(key)
  expect(await lastUse()).toBe(t.clock.toISOString())
})
