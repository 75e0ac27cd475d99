/** Opening the verification link: the registering browser verifies with it; any other must press the button. */
import { describe, expect, test } from 'vitest'
import { openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { linkTokenOf } from '../../../test/support/mail.ts'
import { useRegistrationWorld } from '../../../test/support/registration-world.ts'
import { query } from '../../database/sql.ts'
import { digestOf } from '../../rules/secrets.ts'

/** The headers that browsers send after a click. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const t = useRegistrationWorld()

describe('opening the link elsewhere', () => {
  const headOf = async (token: string, cookie = '') => {
    const url = `/api/verify-email/${token}`
    return (await t.world.app.inject({ method: 'HEAD', url, headers: { cookie } })).statusCode
  }

  test('requires the button, verifies nothing and does not use the link up', async () => {
    const { token } = await t.registeredByBrowser()
    const reply = await t.follow(token)
    expect(reply.status).toBe(409)
    expect(problemOf(reply)).toMatchObject({
      code: 'email-unconfirmed',
      detail: `The account ${t.name} was registered with the email address ${t.name}@example.net. If you registered it, confirm the address.`,
    })
    expect(await t.isVerified()).toBe(false)
    expect((await t.verify(token)).status).toBe(200)
  })

  test('with the cookie of another registration gets the same refusal', async () => {
    const first = await t.registeredByBrowser()
    t.name = `${t.name}-again`
    const second = await t.registeredByBrowser()
    for (const cookie of [
      first.cookie,
      'homing_registration=',
      `homing_registration=${'x'.repeat(43)}`,
      second.cookie.replace('homing_registration', '__Host-homing_registration'),
    ]) {
      expect(problemOf(await t.follow(second.token, { cookie })).code).toBe('email-unconfirmed')
    }
    expect(await t.isVerified()).toBe(false)
  })

  test('HEAD returns the status of GET, and does not use the link up', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    expect(await headOf(token)).toBe(409)
    expect(await headOf(token, cookie)).toBe(200)
    expect(await headOf('x'.repeat(43), cookie)).toBe(400)
    expect(await t.isVerified()).toBe(false)
    expect((await t.follow(token, { cookie })).status).toBe(200)
  })

  test('sends a browser to the screen with a button, verifies nothing and does not use the link up', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    const reply = await t.follow(token, { ...BROWSER, cookie })
    expect([reply.status, reply.headers['location'], reply.headers['vary']]).toEqual([
      303,
      `/#verify-email/${token}`,
      expect.stringMatching(/\baccept\b/i),
    ])
    expect(await t.isVerified()).toBe(false)
    expect((await t.verify(token)).status).toBe(200)
  })

  test.each(['/../x', '//evil.example', '%2f%2fevil.example', '"><script>'])(
    'sends a browser with the token %j only to this service',
    async (token) => {
      const reply = await t.follow(encodeURIComponent(token), BROWSER)
      expect(reply.headers['location']).toBe(`/#verify-email/${encodeURIComponent(token)}`)
    },
  )
})

describe('the cookie of the registering browser', () => {
  const cookieOf = async (headers: Readonly<Record<string, string>>) =>
    (await t.register({ username: `${t.name}-${Object.keys(headers).length}` }, headers)).headers[
      'set-cookie'
    ]

  test('is unavailable to scripts and other sites, and lives as long as the unverified account', async () => {
    expect(await cookieOf({ origin: 'http://localhost:8080' })).toMatch(
      /^homing_registration=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('is bound to the host over TLS', async () => {
    const secure = await openApiWorld({ publicUrl: new URL('https://dns.example.net') })
    try {
      const body = { username: 'ada', email: 'ada@example.net', password: 'correct horse' }
      const headers = { origin: 'https://dns.example.net' }
      const reply = await call(secure.app, 'POST', '/api/register', { body, headers })
      expect(reply.headers['set-cookie']).toMatch(
        /^__Host-homing_registration=[\w-]{43}; .*; HttpOnly; Secure; SameSite=Lax$/,
      )
    } finally {
      await secure.end()
    }
  })

  test.each([
    {},
    { origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
  ])('is not set for %j', async (headers) => {
    expect(await cookieOf(headers)).toBeUndefined()
  })

  test('is stored as a digest, until the first sign-in', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    const secret = cookie.split('=')[1] ?? ''
    const kept = async () => {
      const [row] = await query<{ text: string; digest: string | null }>(
        t.world.knex,
        `select u::text as text, encode(registration_digest, 'hex') as digest from users u where username = ?`,
        [t.name],
      )
      return row
    }
    expect(await kept()).toMatchObject({ digest: digestOf(secret) })
    expect((await kept())?.text).not.toContain(secret)
    await t.verify(token)
    expect(await kept()).toMatchObject({ digest: digestOf(secret) })
    const login = await call(t.world.app, 'POST', '/api/login', {
      headers: { cookie },
      body: { username_or_email: t.name, password: 'correct horse' },
    })
    expect(login.status).toBe(200)
    expect(String(login.headers['set-cookie'])).toContain('homing_registration=;')
    expect(await kept()).toMatchObject({ digest: null })
  })

  test('works for a link that is sent again, also on another person’s request', async () => {
    const { cookie } = await t.registeredByBrowser()
    await t.resend(`${t.name}@example.net`)
    await t.runJobs()
    const token = linkTokenOf(t.mailer.sent.at(-1))
    expect((await t.follow(token, { cookie })).status).toBe(200)
  })
})
