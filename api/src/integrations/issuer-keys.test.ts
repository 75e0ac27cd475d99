import { errors, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { IssuerKeys, IssuerUnreadable } from './issuer-keys.ts'
import { OutgoingFailure } from './outgoing-http/outgoing-failure.ts'

const ISSUER = 'https://issuer.example.net'
const SECOND_MS = 1_000

let pair: Awaited<ReturnType<typeof generateKeyPair>>
let asked: string[] = []
let isAway = false
let ticks = 0
let keys: IssuerKeys

beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true })
})
beforeEach(() => {
  asked = []
  isAway = false
  ticks = 0
  keys = new IssuerKeys(read, () => ticks)
})

const json = (value: object) => ({ status: 200, body: Buffer.from(JSON.stringify(value)) })

async function read(url: string): Promise<{ status: number; body: Buffer }> {
  asked.push(url)
  if (isAway) throw new OutgoingFailure('refused', 'The server refused the connection.')
  if (url.endsWith('/keys')) {
    const key = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }
    return json({ keys: [key] })
  }
  return json({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` })
}

/** Verifies a token of a key id. */
async function verify(kid = 'one'): Promise<void> {
  const token = await new SignJWT({ iss: ISSUER })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(pair.privateKey)
  await jwtVerify(token, keys.of(ISSUER))
}
const timesAsked = () =>
  asked.filter((url) => url.endsWith('/.well-known/openid-configuration')).length

test('keys are read once in ten minutes, for any number of tokens', async () => {
  await Promise.all([verify(), verify(), verify()])
  ticks = 599 * SECOND_MS
  await verify()
  expect(timesAsked()).toBe(1)
  ticks = 600 * SECOND_MS
  await Promise.all([verify(), verify(), verify()])
  expect(timesAsked()).toBe(2)
})

test('unknown key ids cause one request to the issuer in half a minute', async () => {
  await verify()
  for (const at of [1, 29, 31, 32, 60, 62]) {
    ticks = at * SECOND_MS
    await Promise.all([
      expect(verify('invented')).rejects.toThrow(errors.JWKSNoMatchingKey),
      expect(verify('x')).rejects.toThrow(errors.JWKSNoMatchingKey),
    ])
  }
  expect(timesAsked()).toBe(3)
})

test('a request to an unavailable issuer does not remove its known keys', async () => {
  await verify()
  isAway = true
  ticks = 40 * SECOND_MS
  await expect(verify('invented')).rejects.toThrow(errors.JWKSNoMatchingKey)
  expect(timesAsked()).toBe(2)
  await verify()
  ticks = 899 * SECOND_MS
  await verify()
  ticks = 930 * SECOND_MS
  await expect(verify()).rejects.toBeInstanceOf(IssuerUnreadable)
})

test('an unavailable issuer is asked once in half a minute, and read when it is available again', async () => {
  isAway = true
  await Promise.all(
    [1, 2, 3].map(async () => expect(verify()).rejects.toBeInstanceOf(IssuerUnreadable)),
  )
  isAway = false
  ticks = 29 * SECOND_MS
  await expect(verify()).rejects.toBeInstanceOf(IssuerUnreadable)
  expect(timesAsked()).toBe(1)
  ticks = 30 * SECOND_MS
  await Promise.all([verify(), verify()])
  expect(timesAsked()).toBe(2)
})
