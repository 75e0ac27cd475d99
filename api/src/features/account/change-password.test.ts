import type { Me } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { linkTokenOf, runJobs } from '../../../test/support/mail.ts'

const NEW_PASSWORD = 'a password of her own'
const t = useAccountWorld()

describe('POST /api/change-password', () => {
  const change = (fields: object = {}) =>
    t.as(t.ada.headers, 'POST', '/api/change-password', {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
      ...fields,
    })

  test('sets the password, keeps this session and ends the others', async () => {
    const elsewhere = await t.world.signIn(t.ada.id)
    expect((await t.login()).status).toBe(200)
    expect((await change()).json()).toMatchObject({ message: 'Your password was changed.' })
    expect(await t.isSignedIn(t.ada.headers)).toBe(true)
    expect(await t.isSignedIn(elsewhere)).toBe(false)
    expect(await t.isSignedIn(t.bob.headers)).toBe(true)
    const me = (await t.as(t.ada.headers, 'GET', '/api/me')).json<Me>()
    expect([me.password_changed_at, me.email_changed_at]).toEqual([expect.any(String), null])
    expect((await t.login()).status).toBe(401)
    expect((await t.login({ password: NEW_PASSWORD })).status).toBe(200)
  })

  test('tells the owner by mail', async () => {
    await change()
    expect(await runJobs(t.world.services, t.mailer)).toEqual(['mail'])
    expect(t.mailer.sent).toMatchObject([
      { to: `${t.ada.username}@mail.test`, subject: 'Homing: Your password was changed' },
    ])
  })

  test('invalidates a link that sets a password', async () => {
    await call(t.world.app, 'POST', '/api/forgot-password', {
      body: { email: `${t.ada.username}@mail.test` },
    })
    await runJobs(t.world.services, t.mailer)
    const token = linkTokenOf(t.mailer.sent.at(-1))
    await change()
    const reply = await call(t.world.app, 'GET', `/api/verify-reset-token/${token}`)
    expect(problemOf(reply).code).toBe('link-invalid')
  })

  test('a wrong current password is an error of its field, and nothing changes', async () => {
    const elsewhere = await t.world.signIn(t.ada.id)
    const reply = await change({ current_password: 'wrong password' })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([
      { field: 'current_password', message: 'This is not your current password.' },
    ])
    expect(await t.isSignedIn(elsewhere)).toBe(true)
    expect((await t.login()).status).toBe(200)
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent).toEqual([])
  })

  test('a password that was changed elsewhere is wrong', async () => {
    expect((await t.login()).status).toBe(200)
    const other = await t.world.signIn(t.ada.id)
    await change()
    t.ada = { ...t.ada, headers: await t.world.signIn(t.ada.id) }
    expect((await change({ new_password: 'and another one' })).status).toBe(422)
    expect(await t.isSignedIn(other)).toBe(false)
  })

  test('of five concurrent calls one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => change({ new_password: `the password ${n}` })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(4)
  })

  test.each([
    ['current_password', { current_password: '' }],
    ['current_password', { current_password: 7 }],
    ['new_password', { new_password: 'seven77' }],
    ['new_password', { new_password: 'Password1' }],
    ['new_password', { new_password: 'homing-2026' }],
    ['new_password', { new_password: 'x'.repeat(257) }],
    ['new_password', { new_password: undefined }],
    ['username', { username: 'admin' }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await change(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('a stolen session can guess no faster than any other caller', async () => {
    const limited = await openApiWorld({ rateLimits: true })
    try {
      const victim = await limited.person('victim')
      const statuses: number[] = []
      for (let n = 0; n < 7; n += 1) {
        const reply = await call(limited.app, 'POST', '/api/change-password', {
          headers: victim.headers,
          body: { current_password: `guess ${n}`, new_password: NEW_PASSWORD },
        })
        statuses.push(reply.status)
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 429])
    } finally {
      await limited.end()
    }
  })
})
