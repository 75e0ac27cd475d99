/** A repository is known by its id: whoever gets its name later does not get the trust. */
import type { NewTrustPolicy, TrustPolicy } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'
import { guardedFetch } from '../../integrations/guarded-fetch.ts'
import { IssuerKeys } from '../../integrations/issuer-keys.ts'

let issuer: TokenIssuer
let world: ApiWorld
let ada: Caller
let people = 0
let tokens = 0

beforeAll(async () => {
  issuer = await TokenIssuer.open()
  const issuerKeys = new IssuerKeys(guardedFetch({ allowsPrivate: true }))
  world = await openApiWorld({ allowsPrivateTargets: true }, { issuerKeys })
})
afterAll(async () => {
  await world.end()
  await issuer.close()
})
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`, 'pro')
})

const HERS = { repository_id: '74', repository_owner_id: '65' }
/** Of whoever has registered the same name again. */
const ANOTHERS = { repository_id: '975', repository_owner_id: '866' }

const make = (fields: Partial<NewTrustPolicy>) =>
  call(world.app, 'POST', '/api/trust-policies/', {
    headers: ada.headers,
    body: { name: 'deploy', issuer: issuer.url, ...fields },
  })
const made = async (fields: Partial<NewTrustPolicy> = { repository: 'ada/home' }) =>
  (await make(fields)).json<TrustPolicy>()
const shown = async () => {
  const reply = await call(world.app, 'GET', '/api/trust-policies/', { headers: ada.headers })
  return reply.json<TrustPolicy[]>()
}

async function exchange(id: string, claims: object) {
  tokens += 1
  const now = Math.floor(Date.now() / 1_000)
  const token = await issuer.token({
    aud: world.services.config.publicUrl.origin,
    sub: 'repo:ada/home:ref:refs/heads/main',
    repository: 'ada/home',
    iat: now,
    exp: now + 300,
    jti: `token-${tokens}`,
    ...claims,
  })
  return call(world.app, 'POST', `/api/trust-policies/${id}/exchange`, { body: { token } })
}

test('the first pipeline of a named repository settles which one it is', async () => {
  const { id, repository_id } = await made()
  expect(repository_id).toBeNull()
  expect((await exchange(id, HERS)).status).toBe(201)
  expect(await shown()).toMatchObject([{ repository: 'ada/home', ...HERS }])
  const refused = problemOf(await exchange(id, ANOTHERS))
  expect(refused).toMatchObject({ status: 401, code: 'wrong-credentials' })
  expect(refused.detail).toContain('repository id')
  expect(await shown()).toMatchObject([HERS])
  expect((await exchange(id, HERS)).status).toBe(201)
})

test('a repository that was handed to another owner is refused', async () => {
  const { id } = await made()
  await exchange(id, HERS)
  const handed = { ...HERS, repository_owner_id: '866' }
  expect(problemOf(await exchange(id, handed)).detail).toContain('repository owner id')
})

test('a pipeline that tells no id any more is refused', async () => {
  const { id } = await made()
  await exchange(id, HERS)
  expect((await exchange(id, {})).status).toBe(401)
})

test('of two repositories that come first at once, one is trusted', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await made()
    const replies = await Promise.all([exchange(id, HERS), exchange(id, ANOTHERS)])
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 401])
  }
})

test('a refused one settles nothing, and gets no key', async () => {
  const { id } = await made({ repository: 'ada/home', branch: 'main' })
  expect((await exchange(id, { ...ANOTHERS, ref: 'refs/heads/dev' })).status).toBe(401)
  expect(await shown()).toMatchObject([{ repository_id: null, repository_owner_id: null }])
})

test('an id alone is enough, and outlives a rename', async () => {
  const { id } = await made({ repository_id: '74' })
  expect((await exchange(id, { ...HERS, repository: 'ada/renamed' })).status).toBe(201)
  expect((await exchange(id, ANOTHERS)).status).toBe(401)
})

test('issuers that tell no ids are trusted by name as before', async () => {
  const { id } = await made()
  expect((await exchange(id, {})).status).toBe(201)
  expect((await exchange(id, {})).status).toBe(201)
})

test.each([
  ['repository', {}],
  ['repository', { repository_owner_id: '65' }],
  ['repository_id', { repository_id: '' }],
  ['repository_id', { repository_id: 'x'.repeat(65) }],
  ['repository_id', { repository_id: 74 }],
])('a policy that is refused: %s of %j', async (field, fields) => {
  const problem = problemOf(await make(fields as Partial<NewTrustPolicy>))
  expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
})
