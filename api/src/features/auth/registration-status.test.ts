import { expect, test } from 'vitest'
import { call } from '../../../test/support/calls.ts'
import { NEW_PASSWORD, useRegistrationWorld } from '../../../test/support/registration-world.ts'

const t = useRegistrationWorld()

/** The response to a browser with this cookie. */
const status = async (cookie?: string) => {
  const reply = await call(t.world.app, 'GET', '/api/register/status', {
    headers: cookie === undefined ? {} : { cookie },
  })
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-store')
  return reply.text
}
const PENDING = '{"verified":false}'
const VERIFIED = '{"verified":true}'

test('the registering browser sees a verification on another device', async () => {
  const { token, cookie } = await t.registeredByBrowser()
  expect(await status(cookie)).toBe(PENDING)
  await t.verify(token)
  expect(await status(cookie)).toBe(VERIFIED)
  expect(await status(cookie)).toBe(VERIFIED)
})

test('opening the link in the same browser shows in its other windows, too', async () => {
  const { token, cookie } = await t.registeredByBrowser()
  const opened = await t.follow(token, { cookie })
  expect(opened.status).toBe(200)
  expect(opened.headers['set-cookie']).toBeUndefined()
  expect(await status(cookie)).toBe(VERIFIED)
  expect((await t.follow(token, { cookie })).status).toBe(409)
})

test('every other client gets `false`', async () => {
  const { token } = await t.registeredByBrowser()
  await t.verify(token)
  const others = [undefined, 'homing_registration=', `homing_registration=${'x'.repeat(43)}`]
  for (const cookie of others) expect(await status(cookie)).toBe(PENDING)
})

test('after the first sign-in the cookie has no effect', async () => {
  const { token, cookie } = await t.registeredByBrowser()
  await t.verify(token)
  expect((await t.login()).status).toBe(200)
  expect(await status(cookie)).toBe(PENDING)
})

test('a sign-in to another account leaves the cookie, and the first one to its own account clears it', async () => {
  await t.verify((await t.registeredByBrowser()).token)
  const former = t.name
  t.begin()
  const { token, cookie } = await t.registeredByBrowser()
  await t.verify(token)
  const signIn = async (username: string) => {
    const body = { username_or_email: username, password: NEW_PASSWORD }
    const reply = await call(t.world.app, 'POST', '/api/login', { body, headers: { cookie } })
    expect(reply.status).toBe(200)
    return String(reply.headers['set-cookie'])
  }
  expect(await signIn(former)).not.toContain('homing_registration=')
  expect(await status(cookie)).toBe(VERIFIED)
  expect(await signIn(t.name)).toContain('homing_registration=;')
})
