/** Callers that a policy does not trust learn nothing about it, and cannot cause fetches of keys. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'

const t = useTrustWorld()
let eve: TokenIssuer
beforeAll(async () => {
  eve = await TokenIssuer.open()
})
afterAll(() => eve.close())

const policyOf = async (issuer: string) => (await t.made({ issuer })).id
const detailOf = async (id: string, token: string) => problemOf(await t.send(id, { token })).detail

test('a caller who cannot name the issuer gets the same response as without a policy, in every case', async () => {
  const token = await eve.token({ sub: 'eve', repository: 'ada/home' })
  const said = await detailOf('999999999', token)
  expect(said).toBe('The token is invalid, or this policy does not trust it.')
  expect(await detailOf(await policyOf(t.issuer.url), token)).toBe(said)
  // Its keys cannot be read; an error about that would reveal the issuer's address.
  expect(await detailOf(await policyOf('http://127.0.0.1:1/inside'), token)).toBe(said)
  expect([...t.issuer.asked, ...eve.asked]).toEqual([])
})
