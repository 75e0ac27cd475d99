import type { ExchangedKey, NewTrustPolicy, TrustPolicy } from '@homing/openapi'
import { type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'
import { guardedFetch } from '../../integrations/guarded-fetch.ts'
import { IssuerKeys } from '../../integrations/issuer-keys.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../sql.ts'
import { createTrustPolicy } from './service.ts'

let world: ApiWorld
let issuer: TokenIssuer
let clock = new Date()
/** Milliseconds; for what is remembered of issuers. */
let ticks = 0
let ada: Caller
let bob: Caller
let people = 0
let tokens = 0

beforeAll(async () => {
  issuer = await TokenIssuer.open()
  const issuerKeys = new IssuerKeys(guardedFetch({ allowsPrivate: true }), () => ticks)
  world = await openApiWorld({ allowsPrivateTargets: true }, { now: () => clock, issuerKeys })
})
afterAll(async () => {
  await world.end()
  await issuer.close()
})
beforeEach(async () => {
  people += 1
  clock = new Date()
  ticks += 1_000_000
  issuer.asked = []
  issuer.discovery = {}
  ada = await world.person(`ada${people}`, 'pro')
  bob = await world.person(`bob${people}`, 'pro')
})

const post = async (fields: object, { headers }: Pick<Caller, 'headers'> = ada): Promise<Reply> =>
  call(world.app, 'POST', '/api/trust-policies/', {
    headers,
    body: { name: 'deploy', issuer: issuer.url, repository: 'ada/home', ...fields },
  })
const made = async (fields: Partial<NewTrustPolicy> = {}) =>
  (await post(fields)).json<TrustPolicy>()
const list = async () =>
  (await call(world.app, 'GET', '/api/trust-policies/', { headers: ada.headers })).json<
    TrustPolicy[]
  >()

/** Undefined takes a claim away. */
type Changes = { readonly [Claim in keyof JWTPayload]?: JWTPayload[Claim] | undefined }

/** The claims of a pipeline of ada/home on main, that fit. */
function claims(changes: Changes = {}): JWTPayload {
  tokens += 1
  const now = Math.floor(clock.getTime() / 1_000)
  return {
    aud: world.services.config.publicUrl.origin,
    sub: 'repo:ada/home:ref:refs/heads/main',
    repository: 'ada/home',
    ref: 'refs/heads/main',
    ref_type: 'branch',
    iat: now,
    nbf: now,
    exp: now + 300,
    jti: `token-${tokens}`,
    ...changes,
  } as JWTPayload
}
const send = (id: string, body: unknown) =>
  call(world.app, 'POST', `/api/trust-policies/${id}/exchange`, { body })
const exchange = async (id: string, changes?: Changes) =>
  send(id, { token: await issuer.token(claims(changes)) })
const status = async (key: string, url = '/api/domains') =>
  (await call(world.app, 'GET', url, { headers: { authorization: `Bearer ${key}` } })).status

describe('an exchange', () => {
  test('gives a key for 15 minutes, within the scope of the policy', async () => {
    const home = `home${people}.homing.test`
    await insertDomain(world.knex, { userId: ada.id, fqdn: home })
    await insertDomain(world.knex, { userId: ada.id, fqdn: `nas${people}.homing.test` })
    const { id } = await made({ branch: 'main', scope: { domains: [home], actions: ['read'] } })
    const reply = await exchange(id)
    expect(reply.status).toBe(201)
    expect(reply.headers['cache-control']).toBe('no-store')
    const { key, expires_at, scope } = reply.json<ExchangedKey>()
    expect(expires_at).toBe(new Date(clock.getTime() + 900_000).toISOString())
    expect(scope).toMatchObject({ domains: [home], actions: ['read'] })
    expect(await status(key)).toBe(200)
    expect(await status(key, `/api/domains/fqdn/${home}`)).toBe(200)
    expect(await status(key, `/api/domains/fqdn/nas${people}.homing.test`)).toBe(404)
    expect(await status(key, '/api/api-keys/')).toBe(403)
    clock = new Date(clock.getTime() + 900_000)
    expect(await status(key)).toBe(401)
    await expire(world.knex, clock)
    expect(await query(world.knex, 'select 1 from api_keys where policy_id = ?', [id])).toEqual([])
  })

  test('is told of at the policy, and its key is none of the owner’s own', async () => {
    const { id } = await made()
    await exchange(id)
    expect(await list()).toMatchObject([
      {
        id,
        last_used_at: clock.toISOString(),
        last_used_ip: '127.0.0.1',
        last_subject: 'repo:ada/home:ref:refs/heads/main',
      },
    ])
    const keys = await call(world.app, 'GET', '/api/api-keys/', { headers: ada.headers })
    expect(keys.json()).toEqual([])
  })

  test('a token is exchanged once, however many try at once', async () => {
    const { id } = await made()
    const token = await issuer.token(claims())
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(id, { token })))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    expect(problemOf(await send(id, { token })).detail).toContain('exchanged before')
  })

  test('the keys of an issuer are fetched once, and afresh for a new one', async () => {
    const { id } = await made()
    await exchange(id)
    await exchange(id)
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    await issuer.rotate()
    // Whoever sends unknown keys makes nobody fetch all the time.
    expect((await exchange(id)).status).toBe(401)
    expect(issuer.asked).toHaveLength(2)
    ticks += 30_000
    expect((await exchange(id)).status).toBe(201)
  })

  test('a policy that is deleted takes its keys with it', async () => {
    const { id } = await made()
    const { key } = (await exchange(id)).json<ExchangedKey>()
    const remove = ({ headers }: Caller) =>
      call(world.app, 'DELETE', `/api/trust-policies/${id}`, { headers })
    expect((await remove(bob)).status).toBe(404)
    expect(await status(key)).toBe(200)
    expect((await remove(ada)).status).toBe(204)
    expect([await status(key), (await remove(ada)).status]).toEqual([401, 404])
    expect((await exchange(id)).status).toBe(401)
  })

  test('a plan without keys, and a disabled account, get none', async () => {
    const { id } = await made()
    await query(world.knex, `update users set account_type = 'free' where id = ?`, [ada.id])
    expect(problemOf(await exchange(id)).code).toBe('plan-required')
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    expect(problemOf(await exchange(id)).code).toBe('account-disabled')
  })
})

describe('a token that is refused', () => {
  const now = () => Math.floor(clock.getTime() / 1_000)
  const cases: readonly (readonly [string, () => Changes, RegExp])[] = [
    ['of another audience', () => ({ aud: 'https://elsewhere.example' }), /claim aud/],
    ['of no audience', () => ({ aud: undefined }), /claim aud/],
    ['of another issuer', () => ({ iss: 'https://elsewhere.example' }), /not one that this policy/],
    ['that has expired', () => ({ exp: now() - 31 }), /expired/],
    ['that never expires', () => ({ exp: undefined }), /claim exp/],
    ['of the future', () => ({ nbf: now() + 60 }), /claim nbf/],
    ['made in the future', () => ({ iat: now() + 60 }), /claim iat/],
    ['made days ago', () => ({ iat: now() - 100_000, nbf: now() - 100_000 }), /too old/],
    ['that does not say when', () => ({ iat: undefined }), /claim iat/],
    ['of nobody', () => ({ sub: undefined }), /claim sub/],
    ['of another repository', () => ({ repository: 'eve/home' }), /repository/],
    ['of another branch', () => ({ ref: 'refs/heads/dev' }), /branch/],
    ['of a request to merge', () => ({ ref: 'refs/pull/1/merge' }), /branch/],
    ['of another environment', () => ({ environment: 'test' }), /environment/],
  ]

  test.each(cases)('%s', async (_name, changes, said) => {
    const { id } = await made({ branch: 'main', environment: 'live' })
    const problem = problemOf(await exchange(id, { environment: 'live', ...changes() }))
    expect(problem).toMatchObject({ status: 401, code: 'wrong-credentials' })
    expect(problem.detail).toMatch(said)
    expect(await query(world.knex, 'select 1 from api_keys where policy_id = ?', [id])).toEqual([])
  })

  test('signed by somebody else, by a shared secret, or by nobody', async () => {
    const { id } = await made()
    const eve = await TokenIssuer.open()
    const secret = new TextEncoder().encode('x'.repeat(32))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      await issuer.token(claims(), eve),
      await eve.token(claims()),
      await new SignJWT({ ...claims(), iss: issuer.url })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(secret),
      `${part({ alg: 'none' })}.${part({ ...claims(), iss: issuer.url })}.`,
      `${(await issuer.token(claims())).slice(0, -4)}AAAA`,
    ]
    for (const token of forged) {
      expect(problemOf(await send(id, { token }))).toMatchObject({
        status: 401,
        detail: 'The token is not one that this policy trusts.',
      })
    }
    await eve.close()
  })

  test('of an issuer that cannot be read, or calls itself otherwise', async () => {
    issuer.discovery = { issuer: 'https://elsewhere.example' }
    const { id } = await made()
    expect(problemOf(await exchange(id)).detail).toContain('calls itself otherwise')
    const { id: away } = await made({ issuer: 'http://127.0.0.1:1' })
    const problem = problemOf(await exchange(away, { iss: 'http://127.0.0.1:1' }))
    expect(problem.detail).toContain('cannot be read')
  })

  test('of no policy is refused as one that is not trusted', async () => {
    expect(problemOf(await exchange('999999999'))).toMatchObject({
      status: 401,
      detail: 'The token is not one that this policy trusts.',
    })
  })

  test.each([
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 7 }, 'token'],
    [{ token: 'x'.repeat(16_385) }, 'token'],
    [{ token: 'x', scope: {} }, 'scope'],
  ])('%# has no form', async (body, field) => {
    const problem = problemOf(await send('1', body))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test.each(['x', 'a.b.c', '..', 'eyJ.eyJ.eyJ'])(
    '%j is none, and nothing is fetched',
    async (token) => {
      const { id } = await made()
      expect((await send(id, { token })).status).toBe(401)
      expect(issuer.asked).toEqual([])
    },
  )
})

describe('policies', () => {
  test('are shown with what tokens have to be made for', async () => {
    expect(await made({ branch: 'main' })).toMatchObject({
      name: 'deploy',
      issuer: issuer.url,
      audience: world.services.config.publicUrl.origin,
      repository: 'ada/home',
      branch: 'main',
      environment: null,
      scope: { domains: null },
      last_used_at: null,
    })
    expect(await list()).toHaveLength(1)
  })

  test('are for signed-in people whose plan has keys', async () => {
    const url = '/api/trust-policies/'
    expect((await call(world.app, 'GET', url)).status).toBe(401)
    expect((await post({}, { headers: {} })).status).toBe(401)
    const free = await world.person(`free${people}`, 'free')
    expect(problemOf(await post({}, free)).code).toBe('plan-required')
    const reply = await call(world.app, 'GET', url, { headers: free.headers })
    expect(problemOf(reply).code).toBe('plan-required')
    await made()
    expect((await call(world.app, 'GET', url, { headers: bob.headers })).json()).toEqual([])
  })

  test('are fifty at most', async () => {
    await query(
      world.knex,
      `insert into trust_policies (user_id, name, issuer, subject)
       select ?, 'p', 'https://issuer.example', 's' from generate_series(1, 49)`,
      [ada.id],
    )
    const replies = await Promise.all([post({}), post({}), post({})])
    const limited = replies.filter((reply) => reply.status === 403)
    expect(limited.map((reply) => problemOf(reply).code)).toEqual(['key-limit', 'key-limit'])
  })

  test.each([
    [{ repository: null }, 'repository'],
    [{ repository: '' }, 'repository'],
    [{ repository: 7 }, 'repository'],
    [{ issuer: 'ftp://issuer.example' }, 'issuer'],
    [{ issuer: 'https://user@issuer.example' }, 'issuer'],
    [{ issuer: 'https://issuer.example/?q' }, 'issuer'],
    [{ issuer: 'issuer.example' }, 'issuer'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ scope: { domains: ['*'] } }, 'scope.domains'],
    [{ user_id: '1' }, 'user_id'],
  ])('%j is refused', async (fields, field) => {
    const problem = problemOf(await post(fields))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test('an issuer without TLS is taken on a machine for development alone', async () => {
    const production = { ...world.services.config, allowsPrivateTargets: false }
    const account = {
      id: ada.id,
      username: ada.username,
      accountType: 'pro',
      hasSecondFactor: false,
      domainLimit: 100,
      ttlSeconds: 60,
      abilities: new Set(['api_keys']),
    }
    const input = { name: 'deploy', issuer: 'http://issuer.example', subject: 's' }
    const services = { ...world.services, config: production }
    const origin = { ip: '192.0.2.1', told: '192.0.2.1', userAgent: null }
    await expect(createTrustPolicy(services, account, input, origin)).rejects.toThrow('https://')
  })
})
