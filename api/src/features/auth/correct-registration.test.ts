/** Correcting a mistyped address: the browser that registered an account registers the same user name again. */
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { useRegistrationWorld } from '../../../test/support/registration-world.ts'

const t = useRegistrationWorld()

const again = (cookie: string, fields: object = {}) =>
  t.register(
    { email: `${t.name}@right.example`, ...fields },
    { cookie, origin: t.world.services.config.publicUrl.origin },
  )
const accounts = () =>
  query<{ email: string }>(
    t.world.knex,
    'select email from users where lower(username) = lower(?)',
    [t.name],
  )

test('replaces the registration: the link to the wrong address ends, the new one works', async () => {
  const { token, cookie } = await t.registeredByBrowser()
  const corrected = await again(cookie, { username: t.name.toUpperCase() })
  expect(corrected.status).toBe(201)
  expect(corrected.headers['set-cookie']).toMatch(/^homing_registration=/)
  expect(await accounts()).toEqual([{ email: `${t.name}@right.example` }])
  expect((await t.verify(token)).status).toBe(400)
  await t.runJobs()
  expect(t.mailer.sent.at(-1)?.to).toBe(`${t.name}@right.example`)
})

test('is answered alike when another account has the address', async () => {
  await t.verify(await t.registeredToken({ username: `${t.name}x`, email: 'taken@right.example' }))
  const { cookie } = await t.registeredByBrowser()
  const free = await again(cookie)
  const next = String(free.headers['set-cookie']).split(';', 1)[0] ?? ''
  const taken = await again(next, { email: 'taken@right.example' })
  expect([taken.status, Object.keys(taken.headers)]).toEqual([
    free.status,
    Object.keys(free.headers),
  ])
})

test('needs the cookie, a page of the service, and an address that was never verified', async () => {
  const { token, cookie } = await t.registeredByBrowser()
  const refused = async (headers: Record<string, string>) =>
    problemOf(await t.register({ email: 'other@right.example' }, headers))
  const { origin } = t.world.services.config.publicUrl
  const username = { code: 'username-taken' }
  expect(await refused({ origin })).toMatchObject(username)
  expect(await refused({ cookie: `homing_registration=${'x'.repeat(43)}`, origin })).toMatchObject(
    username,
  )
  expect(await refused({ cookie })).toMatchObject(username)
  expect(await refused({ cookie, origin: 'https://evil.test' })).toMatchObject(username)
  await t.verify(token)
  expect(await refused({ cookie, origin })).toMatchObject(username)
  expect(await accounts()).toEqual([{ email: `${t.name}@example.net` }])
})

test('with another user name keeps the first registration', async () => {
  const { cookie } = await t.registeredByBrowser()
  expect((await again(cookie, { username: `${t.name}b` })).status).toBe(201)
  expect(await accounts()).toHaveLength(1)
})
