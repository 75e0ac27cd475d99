/** The link that verifies an address: who sends it, how long it is good, and for what it is taken once. */
import { describe, expect, test } from 'vitest'
import { openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { countsOf, useRegistrationWorld } from '../../../test/support/registration-world.ts'
import { dropLinks } from '../../credentials/mail-link.ts'
import { digestOf } from '../../rules/secrets.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../database/sql.ts'

const DAY_MS = 86_400_000
/** What browsers send with a click. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const t = useRegistrationWorld()

async function isVerified(username = t.name): Promise<boolean> {
  const rows = await query(
    t.world.knex,
    'select 1 from users where username = ? and email_verified_at is not null',
    [username],
  )
  return rows.length > 0
}

test('of two who claim one address, the first to verify has it', async () => {
  const email = `${t.name}@example.net`
  const first = await t.registeredToken({ email })
  const second = await t.registeredToken({ email, username: `${t.name}-2` })
  expect((await t.verify(second)).status).toBe(200)
  expect(problemOf(await t.verify(first)).code).toBe('link-invalid')
})

describe('verifying', () => {
  test('by POST, once', async () => {
    const token = await t.registeredToken()
    expect((await t.verify(token)).json()).toEqual({ message: 'Email Verified!' })
    expect((await t.login()).status).toBe(200)
    for (const again of [await t.verify(token), await t.follow(token)]) {
      expect(again.status).toBe(409)
      expect(problemOf(again)).toMatchObject({
        code: 'already-verified',
        detail: 'This email address is already verified. You can sign in.',
      })
    }
  })

  test('by opening the link in the browser that registered, once', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    const opened = await t.follow(token, { cookie })
    expect(opened.json()).toEqual({ message: 'Email Verified!' })
    expect(await isVerified()).toBe(true)
    expect((await t.follow(token, { cookie })).status).toBe(409)
  })

  test('of ten at once with one link one succeeds', async () => {
    const token = await t.registeredToken()
    const replies = await Promise.all(Array.from({ length: 10 }, () => t.verify(token)))
    expect(countsOf(replies)).toEqual({ 200: 1, 409: 9 })
  })

  test('an expired link says so, every time, and a new one works', async () => {
    const token = await t.registeredToken()
    t.clock = new Date(t.clock.getTime() + DAY_MS)
    for (const reply of [await t.verify(token), await t.follow(token)]) {
      expect(reply.status).toBe(400)
      expect(problemOf(reply).detail).toContain('expired')
    }
    await t.resend(`${t.name}@example.net`)
    await t.runJobs()
    expect((await t.verify(linkTokenOf(t.mailer.sent.at(-1)))).status).toBe(200)
  })

  test('an older link is dead once a newer one is made', async () => {
    const older = await t.registeredToken()
    await t.resend(`${t.name}@example.net`)
    await t.runJobs()
    expect((await t.verify(older)).status).toBe(400)
    expect((await t.verify(linkTokenOf(t.mailer.sent.at(-1)))).status).toBe(200)
  })

  test('a mail that is sent a second time carries the same link, a dead link is not sent', async () => {
    await t.registeredToken()
    await query(
      t.world.knex,
      `update pgboss.job set state = 'retry' where name = 'mail' and state = 'completed'
       and id = ?::uuid`,
      [t.mailer.sent[0]?.id ?? ''],
    )
    await t.runJobs()
    const [first, second] = t.mailer.sent
    expect(second).toEqual(first)
    await t.verify(linkTokenOf(first))
    await query(t.world.knex, `update pgboss.job set state = 'retry' where id = ?::uuid`, [
      first?.id ?? '',
    ])
    expect(await t.runJobs()).toEqual(['mail'])
    expect(t.mailer.sent).toHaveLength(2)
  })

  test.each(['x', 'x'.repeat(256), '%00', '..%2f..', 'é'])(
    'GET with the token %s',
    async (token) => {
      expect(problemOf(await t.follow(encodeURI(token))).code).toBe('link-invalid')
    },
  )

  test.each([{}, { token: '' }, { token: 7 }, { token: null }, { token: 'x'.repeat(257) }])(
    'POST with %j',
    async (body) => {
      const reply = await call(t.world.app, 'POST', '/api/verify-email', { body })
      expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'token' })])
    },
  )
})

describe('opening the link anywhere else', () => {
  const headOf = async (token: string, cookie = '') => {
    const url = `/api/verify-email/${token}`
    return (await t.world.app.inject({ method: 'HEAD', url, headers: { cookie } })).statusCode
  }

  test('asks for the button, verifies nothing and uses nothing up', async () => {
    const { token } = await t.registeredByBrowser()
    const reply = await t.follow(token)
    expect(reply.status).toBe(409)
    expect(problemOf(reply)).toMatchObject({
      code: 'email-unconfirmed',
      detail: `The account ${t.name} was registered with the email address ${t.name}@example.net. If you registered it, confirm the address.`,
    })
    expect(await isVerified()).toBe(false)
    expect((await t.verify(token)).status).toBe(200)
  })

  test('with the cookie of another registration is refused in the same way', async () => {
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
    expect(await isVerified()).toBe(false)
  })

  test('HEAD tells what GET would answer, and uses nothing up', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    expect(await headOf(token)).toBe(409)
    expect(await headOf(token, cookie)).toBe(200)
    expect(await headOf('x'.repeat(43), cookie)).toBe(400)
    expect(await isVerified()).toBe(false)
    expect((await t.follow(token, { cookie })).status).toBe(200)
  })

  test('sends a browser to the screen with a button, verifies nothing and uses nothing up', async () => {
    const { token, cookie } = await t.registeredByBrowser()
    const reply = await t.follow(token, { ...BROWSER, cookie })
    expect([reply.status, reply.headers['location'], reply.headers['vary']]).toEqual([
      303,
      `/#verify-email/${token}`,
      expect.stringMatching(/\baccept\b/i),
    ])
    expect(await isVerified()).toBe(false)
    expect((await t.verify(token)).status).toBe(200)
  })

  test.each(['/../x', '//evil.example', '%2f%2fevil.example', '"><script>'])(
    'sends a browser with the token %j to this service alone',
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

  test('is out of reach of scripts and other sites, for as long as the account waits', async () => {
    expect(await cookieOf({ origin: 'http://localhost:8080' })).toMatch(
      /^homing_registration=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('belongs to the host alone where it travels over TLS', async () => {
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
  ])('is not given to %j', async (headers) => {
    expect(await cookieOf(headers)).toBeUndefined()
  })

  test('is kept as a digest, until somebody signs in', async () => {
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

  test('works for a link that is sent again, on anybody’s request', async () => {
    const { cookie } = await t.registeredByBrowser()
    await t.resend(`${t.name}@example.net`)
    await t.runJobs()
    const token = linkTokenOf(t.mailer.sent.at(-1))
    expect((await t.follow(token, { cookie })).status).toBe(200)
  })
})

describe('accounts that claim an address which another one has verified', () => {
  const linksOf = (username: string) =>
    query(
      t.world.knex,
      'select 1 from mail_links l join users u on u.id = l.user_id where u.username = ?',
      [username],
    )

  test('have no link from then on, even when the address is given up', async () => {
    const email = `${t.name}@example.net`
    const rival = `${t.name}-rival`
    const { token: theirs, cookie } = await t.registeredByBrowser({
      username: rival,
      email: email.toUpperCase(),
    })
    await t.verify(await t.registeredToken({ email }))
    expect(await linksOf(rival)).toEqual([])
    await query(t.world.knex, 'delete from users where username = ?', [t.name])
    expect(problemOf(await t.follow(theirs, { cookie })).code).toBe('link-invalid')
    expect(problemOf(await t.verify(theirs)).code).toBe('link-invalid')
    expect(await isVerified(rival)).toBe(false)
  })

  test('are answered as before for seven days', async () => {
    const email = `${t.name}@example.net`
    const own = await t.registeredToken({ email })
    const [rival, password] = [`${t.name}-rival`, 'of the rival']
    await t.registeredByBrowser({ username: rival, email, password })
    const answers = async () => {
      const replies = [
        await t.login({ username_or_email: rival, password }),
        await t.login({ username_or_email: email, password }),
        await t.register({ username: rival, email: 'other@example.net' }),
        await t.resend(email),
      ]
      return replies.map((reply) => ({ ...reply.json<object>(), requestId: '' }))
    }
    const before = await answers()
    await t.verify(own)
    expect(await answers()).toEqual(before)
    await t.runJobs()
    const day = (days: number) => new Date(t.clock.getTime() + days * DAY_MS)
    const isThere = async () =>
      (await query(t.world.knex, 'select 1 from users where username = ?', [rival])).length > 0
    await expire(t.world.knex, day(6.9))
    expect(await isThere()).toBe(true)
    // A failed sign-in is noted after its answer and holds the account meanwhile; a locked row waits for the next run.
    const isThereAfterExpiry = async () => {
      await expire(t.world.knex, day(7.1))
      return isThere()
    }
    await expect.poll(isThereAfterExpiry).toBe(false)
  })

  test('of two that are verified at the same moment, one is', async () => {
    const email = `${t.name}@example.net`
    const first = await t.registeredToken({ email })
    const second = await t.registeredToken({ email, username: `${t.name}-rival` })
    const replies = await Promise.all([t.verify(first), t.verify(second)])
    expect(countsOf(replies)).toEqual({ 200: 1, 400: 1 })
  })
})

test('resending tells nobody whether there is such an account', async () => {
  await t.register()
  const known = await t.resend(`${t.name}@example.net`)
  const unknown = await t.resend('nobody@example.net')
  expect(known.text).toBe(unknown.text)
  expect(known.status).toBe(unknown.status)
  await t.runJobs()
  expect(new Set(t.mailer.sent.map(({ to }) => to))).toEqual(new Set([`${t.name}@example.net`]))
})

test('while another link is made, it waits for the account before it takes the link', async () => {
  const body = { username: 'ada', email: 'ada@example.net', password: 'correct horse' }
  await call(t.world.app, 'POST', '/api/register', { body })
  await t.runJobs()
  const token = linkTokenOf(t.mailer.sent.at(-1))

  // What a job does that mails another link: the account first, then its links.
  const other = await t.world.feed.connectAgain().transaction()
  const [account] = await query<{ id: string }>(
    other,
    `select id from users where username = 'ada' for no key update`,
  )
  const verifying = call(t.world.app, 'POST', '/api/verify-email', { body: { token } })
  await untilSomebodyWaits(t.world.knex)
  await dropLinks(other, account?.id ?? '', 'verify_email')
  await other.commit()
  expect((await verifying).status).toBe(400)
})

test('an address gets five links in an hour, however many accounts are opened with it', async () => {
  const limited = await openApiWorld({ rateLimits: true })
  try {
    t.mailer.sent.length = 0
    for (let n = 0; n < 7; n += 1) {
      const body = { username: `eve${n}`, email: 'ada@example.net', password: 'correct horse' }
      const ip = `198.51.${n}.1`
      const reply = await call(limited.app, 'POST', '/api/register', { body, ip })
      expect(reply.status).toBe(201)
    }
    await runJobs(limited.services, t.mailer)
    expect(t.mailer.sent).toHaveLength(5)
  } finally {
    await limited.end()
  }
})
