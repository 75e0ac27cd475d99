/** Strangers at a policy: they learn nothing of it, and make nobody fetch keys. */
import type { TrustPolicy } from '@homing/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'

let world: ApiWorld
let issuer: TokenIssuer
let eve: TokenIssuer
let ada: Caller

beforeAll(async () => {
  issuer = await TokenIssuer.open()
  eve = await TokenIssuer.open()
  world = await openApiWorld({ allowsPrivateTargets: true })
  ada = await world.person('ada', 'pro')
})
afterAll(async () => {
  await world.end()
  await issuer.close()
  await eve.close()
})

async function policyOf(issuerUrl: string): Promise<string> {
  const reply = await call(world.app, 'POST', '/api/trust-policies/', {
    headers: ada.headers,
    body: { name: 'deploy', issuer: issuerUrl, repository: 'ada/home' },
  })
  return reply.json<TrustPolicy>().id
}

const detailOf = async (id: string, token: string) => {
  const url = `/api/trust-policies/${id}/exchange`
  return problemOf(await call(world.app, 'POST', url, { body: { token } })).detail
}

test('whoever cannot name the issuer is told the same as of no policy, whatever is wrong', async () => {
  const token = await eve.token({ sub: 'eve', repository: 'ada/home' })
  const said = await detailOf('999999999', token)
  expect(said).toBe('The token is not one that this policy trusts.')
  expect(await detailOf(await policyOf(issuer.url), token)).toBe(said)
  // Its keys cannot be read, which would tell its address.
  expect(await detailOf(await policyOf('http://127.0.0.1:1/inside'), token)).toBe(said)
  expect([...issuer.asked, ...eve.asked]).toEqual([])
})
