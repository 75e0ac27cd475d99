/** Administrators end all sessions of an account. */
import { expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { addApp, codeAt, loginTokenOf, secondStep } from '../../../test/support/second-factor.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'

const t = useAdminWorld('pro')

const end = (id: string, { headers } = t.admin) =>
  call(t.world.app, 'DELETE', `/api/admin/users/${id}/sessions`, { headers })
const status = async (headers: Readonly<Record<string, string>>, url = '/api/me') =>
  (await call(t.world.app, 'GET', url, { headers })).status

test('all sessions of the account end, and of no other; its keys keep working', async () => {
  const elsewhere = await t.world.signIn(t.ada.id)
  const made = await call(t.world.app, 'POST', '/api/api-keys', {
    headers: t.ada.headers,
    body: { name: 'ci' },
  })
  const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
  expect((await end(t.ada.id)).status).toBe(204)
  expect([await status(t.ada.headers), await status(elsewhere)]).toEqual([401, 401])
  expect(await status(t.admin.headers)).toBe(200)
  expect(await status(key, '/api/domains')).toBe(200)
  expect((await end(t.ada.id)).status).toBe(204)
})

test('a pending sign-in ends', async () => {
  const { secret } = await addApp(t.world, t.ada)
  const login_token = await loginTokenOf(t.world, t.ada.username)
  await end(t.ada.id)
  const reply = await secondStep(t.world, { login_token, code: codeAt(secret, new Date()) })
  expect(problemOf(reply).code).toBe('sign-in-expired')
})

test('requires an existing account', async () => {
  expect(problemOf(await end('999999999')).code).toBe('not-found')
})
