/** Tokens of issuers that say odd things: whoever writes a policy may run its issuer, too. */
import type { TrustPolicy } from '@homing/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let issuer: TokenIssuer
let ada: Caller
let policy: TrustPolicy

beforeAll(async () => {
  issuer = await TokenIssuer.open()
  world = await openApiWorld({ allowsPrivateTargets: true })
  ada = await world.person('ada', 'pro')
  policy = await makePolicy()
})
afterAll(async () => {
  await world.end()
  await issuer.close()
})

async function makePolicy(): Promise<TrustPolicy> {
  const body = { name: 'deploy', issuer: issuer.url, repository: 'ada/home' }
  const { headers } = ada
  const reply = await call(world.app, 'POST', '/api/trust-policies/', { headers, body })
  expect(reply.text).toContain(issuer.url)
  return reply.json()
}

async function exchange(claims: object, { id }: TrustPolicy = policy): Promise<Reply> {
  const now = Math.floor(Date.now() / 1_000)
  const token = await issuer.token({
    aud: world.services.config.publicUrl.origin,
    sub: 'repo:ada/home',
    repository: 'ada/home',
    iat: now,
    exp: now + 300,
    jti: crypto.randomUUID(),
    ...claims,
  })
  return call(world.app, 'POST', `/api/trust-policies/${id}/exchange`, { body: { token } })
}

test.each([7, true, ['repo:ada/home'], { is: 'an object' }])(
  'a subject that is %j is none',
  async (sub) => {
    const reply = await exchange({ sub })
    expect(reply.status).toBe(401)
    expect(problemOf(reply).detail).toBe('The claim sub of the token is not right.')
  },
)

test('a subject is kept as far as it can be read', async () => {
  expect((await exchange({ sub: `a\0b\x1b[2J${'😀'.repeat(600)}` })).status).toBe(201)
  const [row] = await query<{ last_subject: string }>(
    world.knex,
    'select last_subject from trust_policies where id = ?',
    [policy.id],
  )
  expect(row?.last_subject.startsWith('ab[2J😀')).toBe(true)
  expect(row?.last_subject.isWellFormed()).toBe(true)
})

test.each([1e20, 1e300, 8.64e12])(
  'a token that never expires (%d) is spent for a day',
  async (exp) => {
    const jti = crypto.randomUUID()
    expect((await exchange({ exp, jti })).status).toBe(201)
    expect((await exchange({ exp, jti })).status).toBe(401)
    const late = await query(
      world.knex,
      `select 1 from exchanged_tokens where expires_at > now() + interval '24 hours 1 minute'`,
    )
    expect(late).toEqual([])
  },
)

test('a policy that is deleted at this moment gives no key', async () => {
  const doomed = await makePolicy()
  const other = await world.feed.connectAgain().transaction()
  await query(other, 'delete from trust_policies where id = ?', [doomed.id])
  const exchanging = exchange({}, doomed)
  await untilSomebodyWaits(world.knex)
  await other.commit()
  const reply = await exchanging
  expect(reply.status).toBe(401)
  expect(problemOf(reply).code).toBe('wrong-credentials')
})
