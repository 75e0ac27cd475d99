/** A user signs in on a network that has used up its limit of unknown credentials. */
import type { Confirmed, SignedIn } from '@homing/openapi'
import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
  testApp,
} from '../../test/support/api-world.ts'
import { bearer, call, type CallOptions } from '../../test/support/calls.ts'
import { CALL_LIMITS } from './call-limits.ts'

const ORIGIN = 'http://localhost:8080'
const IP = '198.51.100.7'
/** No allowance is refilled during a test. */
const RULES = { ...CALL_LIMITS, 'failed-credentials': { burst: 3, refillMs: 3_600_000 } }

let world: ApiWorld
let app: FastifyInstance
let ada: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true })
})
afterAll(() => world.end())
beforeEach(async () => {
  app = await testApp(world.services, { calls: RULES })
  ada = await world.person(`ada${(people += 1)}`)
  return () => app.close()
})

type Headers = Caller['headers']
const at = (method: 'GET' | 'POST', url: string, options: CallOptions = {}) =>
  call(app, method, url, { ip: IP, ...options })
const me = async (headers: Headers) => (await at('GET', '/api/me', { headers })).status
const cookieOf = ({ headers }: Awaited<ReturnType<typeof at>>): Headers => ({
  cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '',
  origin: ORIGIN,
})
const login = (headers: Headers = {}) =>
  at('POST', '/api/login', {
    headers,
    body: { username_or_email: ada.username, password: PASSWORD },
  })

/** A neighbour guesses until the network has no attempts left. */
async function useUp(): Promise<void> {
  const guess = () => me(bearer(randomBytes(32).toString('base64url')))
  const seen = [await guess(), await guess(), await guess(), await guess()]
  expect(seen).toEqual([401, 401, 401, 429])
}

test('a program’s new session works, call after call', async () => {
  await useUp()
  const { token } = (await login()).json<SignedIn>()
  expect([await me(bearer(token)), await me(bearer(token))]).toEqual([200, 200])
})

test('so does a browser’s, in its cookie', async () => {
  await useUp()
  const signedIn = cookieOf(await login({ origin: ORIGIN }))
  expect([await me(signedIn), await me(signedIn)]).toEqual([200, 200])
})

test('so does the new token of a session that was confirmed', async () => {
  await useUp()
  const confirm = (headers: Headers) =>
    at('POST', '/api/me/confirm', { headers, body: { password: PASSWORD } })
  const { token } = (await login()).json<SignedIn>()
  const renewed = (await confirm(bearer(token))).json<Confirmed>().token
  expect(await me(bearer(renewed))).toBe(200)
  const before = cookieOf(await login({ origin: ORIGIN }))
  expect(await me(cookieOf(await confirm(before)))).toBe(200)
})

test('it counts for its account from the first call on', async () => {
  const { token } = (await login()).json<SignedIn>()
  const reply = await at('GET', '/api/me', { headers: bearer(token) })
  expect(reply.headers).toMatchObject({
    'ratelimit-limit': String(CALL_LIMITS.account.burst),
    'ratelimit-remaining': String(CALL_LIMITS.account.burst - 1),
  })
})

test('a session from another process waits with its network', async () => {
  await useUp()
  expect(await me(await world.signIn(ada.id))).toBe(429)
})

test('an ended session is refused, and counts for its network again', async () => {
  const { token } = (await login()).json<SignedIn>()
  await at('POST', '/api/logout', { headers: bearer(token) })
  expect(await me(bearer(token))).toBe(401)
  // That call was the first of three.
  const strange = bearer(randomBytes(32).toString('base64url'))
  expect([await me(strange), await me(strange)]).toEqual([401, 401])
  expect(await me(bearer(token))).toBe(429)
})
