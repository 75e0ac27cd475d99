import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'
import { query } from '../database/sql.ts'
import { ensureAdministrator } from './administrator.ts'
import type { PasswordHasher } from './password-hasher.ts'

const FIRST = { username: 'admin', email: 'admin@homing.test', password: 'correct horse' }
let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())

test('many concurrent calls make one first administrator, who can sign in and administer', async () => {
  const results = await Promise.all(
    Array.from({ length: 5 }, () => ensureAdministrator(world.knex, FIRST)),
  )
  expect(results.filter((result) => result === 'created')).toHaveLength(1)
  const login = await call(world.app, 'POST', '/api/login', {
    body: { username_or_email: FIRST.email, password: FIRST.password },
  })
  const { token } = login.json<{ token: string }>()
  const headers = { authorization: `Bearer ${token}` }
  expect((await call(world.app, 'GET', '/api/admin/users', { headers })).status).toBe(200)
})

const unaffordable: PasswordHasher = {
  hash: () => Promise.reject(new Error('a password was hashed')),
  verify: () => Promise.reject(new Error('a password was tried')),
}

test('if an administrator exists, under any name, nothing is hashed, created or changed', async () => {
  await query(world.knex, `update users set username = 'somebody' where username = 'admin'`)
  const before = await query(world.knex, 'select u::text from users u')
  const another = { ...FIRST, password: 'another' }
  expect(await ensureAdministrator(world.knex, another, unaffordable)).toBe('exists')
  expect(await query(world.knex, 'select u::text from users u')).toEqual(before)
})
