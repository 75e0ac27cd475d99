import { expect, test } from 'vitest'
import { call } from '../../../test/support/calls.ts'
import { useRegistrationWorld } from '../../../test/support/registration-world.ts'

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
