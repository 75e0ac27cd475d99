import type { Me } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { type Method, problemOf } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'

const NEW_PASSWORD = 'a password of her own'
const t = useAccountWorld()

interface Route {
  readonly method: Method
  readonly url: string
  readonly body?: object
}

const ROUTES: readonly Route[] = [
  { method: 'PUT', url: '/api/profile', body: { given_name: 'Ada' } },
  {
    method: 'POST',
    url: '/api/change-password',
    body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
  },
  { method: 'GET', url: '/api/me/sessions' },
  { method: 'DELETE', url: '/api/me/sessions' },
  { method: 'DELETE', url: '/api/me/sessions/1' },
  { method: 'GET', url: '/api/me/login-history' },
]

describe.each(ROUTES)('$method $url', ({ method, url, body }) => {
  test('requires a session', async () => {
    expect(problemOf(await t.as({}, method, url, body)).code).toBe('unauthenticated')
    const stranger = { authorization: `Bearer ${'x'.repeat(43)}` }
    expect(problemOf(await t.as(stranger, method, url, body)).code).toBe('unauthenticated')
  })

  test('does not accept API keys', async () => {
    const made = await t.as(t.ada.headers, 'POST', '/api/api-keys', { name: 'all' })
    const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    expect(problemOf(await t.as(key, method, url, body)).code).toBe('forbidden')
  })

  test('is refused to disabled accounts', async () => {
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    expect(problemOf(await t.as(t.ada.headers, method, url, body)).code).toBe('account-disabled')
  })
})

test.each(ROUTES.filter(({ method }) => method !== 'GET'))(
  '$method $url is refused to other sites',
  async ({ method, url, body }) => {
    const reply = await t.login({}, { origin: 'http://localhost:8080' })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await t.as(elsewhere, method, url, body)).code).toBe('cross-site')
  },
)

describe('PUT /api/profile', () => {
  const put = (fields: object) => t.as(t.ada.headers, 'PUT', '/api/profile', fields)

  test('changes the given fields, only of the caller', async () => {
    expect((await put({ given_name: 'Ada', surname: 'Lovelace' })).json<Me>()).toMatchObject({
      username: t.ada.username,
      given_name: 'Ada',
      surname: 'Lovelace',
    })
    expect((await put({ surname: 'King' })).json()).toMatchObject({
      given_name: 'Ada',
      surname: 'King',
    })
    expect((await put({ given_name: null, surname: '' })).json()).toMatchObject({
      given_name: null,
      surname: null,
    })
    expect((await put({})).status).toBe(200)
    expect((await t.as(t.bob.headers, 'GET', '/api/me')).json()).toMatchObject({ given_name: null })
  })

  test.each([
    ['given_name', { given_name: 'x'.repeat(101) }],
    ['surname', { surname: 'line\nbreak' }],
    ['surname', { surname: 7 }],
    ['email', { email: 'other@example.net' }],
    ['username', { username: 'root' }],
    ['account_type', { account_type: 'admin' }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await put(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })
})
