/** What the owner of a name sees of a call with a valid API key that is not allowed to make this update. */
import type { CreatedApiKey, NewKeyScope, UpdateCall } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'

const FROM = '198.51.100.7'
let world: ApiWorld
let ada: Caller
let people = 0
let home: string
let other: string

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`)
  home = `home${people}.homing.test`
  other = `other${people}.homing.test`
  for (const fqdn of [home, other]) await insertDomain(world.knex, { userId: ada.id, fqdn })
})

async function keyFor(scope: NewKeyScope, fields: object = {}, owner = ada): Promise<string> {
  const { headers } = owner
  const body = { name: 'router', scope, ...fields }
  const reply = await call(world.app, 'POST', '/api/api-keys', { headers, body })
  expect(reply.text).toContain('ak_')
  return reply.json<CreatedApiKey>().key
}

/** The answer to the key's caller. */
async function update(key: string, hostname: string, myip = '192.0.2.1'): Promise<string> {
  const authorization = `Basic ${Buffer.from(`any:${key}`).toString('base64')}`
  const url = `/nic/update?hostname=${hostname}&myip=${myip}`
  return (await call(world.app, 'GET', url, { headers: { authorization }, ip: FROM })).text
}

/** The calls for a name, as its owner sees them. */
async function read(fqdn: string) {
  await world.services.callLog.flush()
  const { headers } = ada
  const [domain] = await query<{ id: string }>(
    world.knex,
    'select id from domains where fqdn = ?',
    [fqdn],
  )
  const reply = await call(world.app, 'GET', `/api/domains/${domain?.id}/update-calls`, { headers })
  return reply
    .json<UpdateCall[]>()
    .map(({ answer, hint, is_refused }) => ({ answer, hint, is_refused }))
}

test.each<[string, NewKeyScope]>([
  ['key-action', { actions: ['read'] }],
  ['key-network', { networks: ['203.0.113.0/24'] }],
])('%s: the caller gets badauth, the owner sees the reason', async (hint, scope) => {
  expect(await update(await keyFor(scope), home)).toBe('badauth\n')
  expect(await read(home)).toEqual([{ answer: 'badauth', hint, is_refused: false }])
})

test('key-expired', async () => {
  const key = await keyFor({}, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await query(world.knex, `update api_keys set expires_at = now() where user_id = ?`, [ada.id])
  expect(await update(key, home)).toBe('badauth\n')
  expect(await read(home)).toMatchObject([{ answer: 'badauth', hint: 'key-expired' }])
})

test('key-domain: a name of the account that is not in the scope', async () => {
  expect(await update(await keyFor({ domains: [home] }), other)).toBe('nohost\n')
  expect(await read(other)).toMatchObject([{ answer: 'nohost', hint: 'key-domain' }])
})

test('key-record-type', async () => {
  expect(await update(await keyFor({ record_types: ['AAAA'] }), home)).toBe('dnserr\n')
  expect(await read(home)).toMatchObject([{ answer: 'dnserr', hint: 'key-record-type' }])
})

test('a key with sufficient scope has no such hint', async () => {
  const key = await keyFor({ domains: [home], actions: ['update'], record_types: ['A'] })
  expect(await update(key, home)).toBe('good 192.0.2.1\n')
  expect(await read(home)).toMatchObject([{ answer: 'good 192.0.2.1', hint: null }])
})

test('another account’s key reveals nothing of its scope to the owner of a name', async () => {
  const bob = await world.person(`bob${people}`)
  const key = await keyFor({ actions: ['read'] }, {}, bob)
  expect(await update(key, home)).toBe('badauth\n')
  expect(await read(home)).toEqual([{ answer: 'badauth', hint: null, is_refused: true }])
})
