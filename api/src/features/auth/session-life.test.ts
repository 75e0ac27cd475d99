/** The life of a session, as a token and as a cookie. */
import type { SignedIn } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call } from '../../../test/support/calls.ts'

const DAY_MS = 86_400_000
const BROWSER = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
const t = useAccountWorld()
const me = (headers: Readonly<Record<string, string>>) => t.as(headers, 'GET', '/api/me')

describe('a session', () => {
  test('lives for 30 days after its last use', async () => {
    const { token } = (await t.login()).json<SignedIn>()
    t.clock = new Date(t.clock.getTime() + 29 * DAY_MS)
    expect((await me(bearer(token))).status).toBe(200)
    t.clock = new Date(t.clock.getTime() + 29 * DAY_MS)
    expect((await me(bearer(token))).status).toBe(200)
    t.clock = new Date(t.clock.getTime() + 30 * DAY_MS)
    expect((await me(bearer(token))).status).toBe(401)
  })

  test('the cookie is renewed when the session is extended', async () => {
    const cookie = String((await t.login({}, BROWSER)).headers['set-cookie']).split(';', 1)[0] ?? ''
    expect((await me({ cookie })).headers['set-cookie']).toBeUndefined()
    t.clock = new Date(t.clock.getTime() + DAY_MS)
    expect(String((await me({ cookie })).headers['set-cookie'])).toContain(
      `${cookie}; Max-Age=2592000`,
    )
  })

  test('ends by POST /api/logout, and its token cannot be used again', async () => {
    const { token } = (await t.login()).json<SignedIn>()
    const other = (await t.login()).json<SignedIn>().token
    const reply = await call(t.world.app, 'POST', '/api/logout', { headers: bearer(token) })
    expect(reply.status).toBe(204)
    expect(reply.text).toBe('')
    expect((await me(bearer(token))).status).toBe(401)
    expect((await me(bearer(other))).status).toBe(200)
    const again = await call(t.world.app, 'POST', '/api/logout', { headers: bearer(token) })
    expect(again.status).toBe(401)
  })

  test('signing out removes the cookie, also with an empty JSON body', async () => {
    const cookie = String((await t.login({}, BROWSER)).headers['set-cookie']).split(';', 1)[0] ?? ''
    const reply = await call(t.world.app, 'POST', '/api/logout', {
      headers: { ...BROWSER, cookie, 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(204)
    expect(String(reply.headers['set-cookie'])).toMatch(/^homing_session=; Max-Age=0; Path=\/; /)
  })
})

test('with an https PUBLIC_URL the cookie is Secure and bound to its host', async () => {
  const secure = await openApiWorld({ publicUrl: new URL('https://dns.example.net') })
  try {
    await secure.person('ada')
    const reply = await call(secure.app, 'POST', '/api/login', {
      body: { username_or_email: 'ada', password: PASSWORD },
      headers: { origin: 'https://dns.example.net' },
    })
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-homing_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const answer = await call(secure.app, 'GET', '/api/me', {
      headers: { cookie: cookie.split(';', 1)[0] ?? '' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000\b/)
  } finally {
    await secure.end()
  }
})
