/** The verification link: how long it is valid, that it works once, and how often it is sent. */
import { describe, expect, test } from 'vitest'
import { openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { countsOf, useRegistrationWorld } from '../../../test/support/registration-world.ts'
import { dropLinks } from '../../credentials/mail-link.ts'
import { query } from '../../database/sql.ts'

const DAY_MS = 86_400_000
const t = useRegistrationWorld()

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
    expect(await t.isVerified()).toBe(true)
    expect((await t.follow(token, { cookie })).status).toBe(409)
  })

  test('of ten concurrent calls with one link one succeeds', async () => {
    const token = await t.registeredToken()
    const replies = await Promise.all(Array.from({ length: 10 }, () => t.verify(token)))
    expect(countsOf(replies)).toEqual({ 200: 1, 409: 9 })
  })

  test('an expired link is reported each time, and a new one works', async () => {
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

  test('an older link is invalid after a newer one was created', async () => {
    const older = await t.registeredToken()
    await t.resend(`${t.name}@example.net`)
    await t.runJobs()
    expect((await t.verify(older)).status).toBe(400)
    expect((await t.verify(linkTokenOf(t.mailer.sent.at(-1)))).status).toBe(200)
  })

  test('a repeated mail has the same link, and an invalid link is not mailed', async () => {
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

test('resending does not reveal whether the account exists', async () => {
  await t.register()
  const known = await t.resend(`${t.name}@example.net`)
  const unknown = await t.resend('nobody@example.net')
  expect(known.text).toBe(unknown.text)
  expect(known.status).toBe(unknown.status)
  await t.runJobs()
  expect(new Set(t.mailer.sent.map(({ to }) => to))).toEqual(new Set([`${t.name}@example.net`]))
})

test('while another link is created, the call waits for the account before it uses the link', async () => {
  const body = { username: 'ada', email: 'ada@example.net', password: 'correct horse' }
  await call(t.world.app, 'POST', '/api/register', { body })
  await t.runJobs()
  const token = linkTokenOf(t.mailer.sent.at(-1))

  // Like a job that mails another link: it locks the account first, then the links.
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

test('an address gets five links in an hour, however many accounts are registered with it', async () => {
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
