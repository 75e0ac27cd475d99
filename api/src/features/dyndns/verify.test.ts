import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { InvalidSecrets } from '../../limits/invalid-secrets.ts'
import { newSecret } from '../../rules/secrets.ts'
import { query } from '../../database/sql.ts'
import { HostReader } from './host-reader.ts'
import { type Verification, Verifier } from './verify.ts'

let world: ApiWorld
let verifier: Verifier
let looked = 0
let ada: Caller
let home: string
let homeId: string
let people = 0

beforeAll(async () => {
  // The clock stands still, so that no allowance is refilled.
  const invalidSecrets = new InvalidSecrets(true, () => 0)
  world = await openApiWorld({ rateLimits: true }, { invalidSecrets })
  const hosts = new HostReader(world.knex)
  const ofToken = hosts.ofToken.bind(hosts)
  hosts.ofToken = async (digest) => {
    looked += 1
    return ofToken(digest)
  }
  verifier = new Verifier(world.services, hosts)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  looked = 0
  ada = await world.person(`ada${people}`, 'pro')
  home = `home${people}.homing.test`
  homeId = (await insertDomain(world.knex, { userId: ada.id, fqdn: home })).id
  await query(world.knex, 'truncate rate_limits')
})

const source = () => ({ ip: `198.18.0.${people}`, client: null })
const post = async (url: string, body: object) =>
  (await call(world.app, 'POST', url, { headers: ada.headers, body })).json<{
    token: string
    key: string
  }>()
const token = async () => (await post(`/api/domains/${homeId}/update-token`, {})).token
const key = async () => (await post('/api/api-keys/', { name: 'ci' })).key
const password = (text = PASSWORD) => ({
  kind: 'password' as const,
  username: ada.username,
  password: text,
})
const secret = (text: string) => ({ kind: 'secret' as const, secret: text })

/** The names that the caller can update, or the reason why authentication failed. */
const reached = (verification: Verification) =>
  'hosts' in verification ? verification.hosts.map((host) => host?.fqdn) : verification.kind

describe('the names of the caller', () => {
  test('in the order of the request', async () => {
    const nas = `nas${people}.homing.test`
    await insertDomain(world.knex, { userId: ada.id, fqdn: nas })
    const names = [nas, 'none.homing.test', home]
    for (const credentials of [password(), secret(await key())]) {
      expect(reached(await verifier.verify(credentials, names, source()))).toEqual([
        nas,
        undefined,
        home,
      ])
    }
    expect(reached(await verifier.verify(secret(await token()), names, source()))).toEqual([
      undefined,
      undefined,
      home,
    ])
  })

  test('without a name: the only one; an error if there are two, but a token has its own', async () => {
    const [mine, ci] = [await token(), await key()]
    const all = [password(), secret(ci), secret(mine)]
    for (const credentials of all) {
      expect(reached(await verifier.verify(credentials, [], source()))).toEqual([home])
    }
    await insertDomain(world.knex, { userId: ada.id, fqdn: `nas${people}.homing.test` })
    const found = await Promise.all(
      all.map(async (credentials) => reached(await verifier.verify(credentials, [], source()))),
    )
    expect(found).toEqual([[], [], [home]])
  })

  test('a token determines its account and its name', async () => {
    expect(await verifier.verify(secret(await token()), [], source())).toMatchObject({
      kind: 'token',
      userId: ada.id,
      tokenId: expect.stringMatching(/^\d+$/),
      domainId: homeId,
      fqdn: home,
    })
  })
})

describe('changes apply at once', () => {
  test('a deleted token, a deleted key, a plan without keys, a disabled account', async () => {
    const [mine, ci] = [await token(), await key()]
    const ask = async (text: string) => reached(await verifier.verify(secret(text), [], source()))
    await query(world.knex, `update users set account_type = 'free' where id = ?`, [ada.id])
    expect([await ask(mine), await ask(ci)]).toEqual([[home], 'wrong'])
    await query(world.knex, `update users set account_type = 'pro', enabled = false where id = ?`, [
      ada.id,
    ])
    expect([await ask(mine), await ask(ci)]).toEqual(['blocked', 'blocked'])
    await query(world.knex, 'update users set enabled = true where id = ?', [ada.id])
    expect([await ask(mine), await ask(ci)]).toEqual([[home], [home]])
    await query(world.knex, 'delete from update_tokens where domain_id = ?', [homeId])
    await query(world.knex, 'delete from api_keys where user_id = ?', [ada.id])
    expect([await ask(mine), await ask(ci)]).toEqual(['wrong', 'wrong'])
  })

  test('a changed password, and the right one afterwards', async () => {
    expect(reached(await verifier.verify(password(), [], source()))).toEqual([home])
    await query(
      world.knex,
      `update users set password_hash = ?, credential_version = credential_version + 1 where id = ?`,
      [await world.services.passwords.hash('another'), ada.id],
    )
    expect(reached(await verifier.verify(password(), [], source()))).toBe('wrong')
    expect(reached(await verifier.verify(password('another'), [], source()))).toEqual([home])
  })
})

describe('invalid secrets', () => {
  const madeUp = () => newSecret('update_token', world.services.randomBytes)
  const ask = async (text: string, names: readonly string[] = []) =>
    reached(await verifier.verify(secret(text), names, source()))

  test('an impossible secret is not looked up; any other is, once', async () => {
    expect(await ask('ut_short')).toBe('wrong')
    expect(looked).toBe(0)
    const deleted = madeUp()
    for (let n = 0; n < 50; n += 1) expect(await ask(deleted)).toBe('wrong')
    expect(looked).toBe(1)
  })

  test('during a flood of them, callers wait, and a router behind the same address still works', async () => {
    const mine = await token()
    expect(await ask(mine)).toEqual([home])
    const answers = new Set<unknown>()
    for (let n = 0; n < 100; n += 1) answers.add(await ask(madeUp()))
    expect(answers).toEqual(new Set(['wrong', 'throttled']))
    expect(looked).toBe(61)
    expect(await ask(mine, [home])).toEqual([home])
    const flooded = await call(world.app, 'GET', '/api/domains', {
      headers: { authorization: `Bearer ${newSecret('api_key', world.services.randomBytes)}` },
      ip: source().ip,
    })
    expect(flooded.status).toBe(429)
  })
})
