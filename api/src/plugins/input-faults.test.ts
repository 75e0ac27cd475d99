/** The messages for schema errors, as users read them in a form. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call, problemOf } from '../../test/support/calls.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())

const account = { username: 'ada', email: 'ada@example.org', password: 'a good password' }

test.each([
  [
    'password must be at least 8 characters long.',
    '/api/register',
    { ...account, password: 'short' },
  ],
  [
    'password must be at most 256 characters long.',
    '/api/register',
    { ...account, password: 'x'.repeat(257) },
  ],
  ['email must be a valid email address.', '/api/register', { ...account, email: 'ada' }],
  ['admin is not a field of this call. Remove it.', '/api/register', { ...account, admin: true }],
  ['password is empty.', '/api/login', { username_or_email: 'ada', password: '' }],
  ['password is missing.', '/api/login', { username_or_email: 'ada' }],
  ['username_or_email must be string.', '/api/login', { username_or_email: 1, password: 'x' }],
])('%s', async (message, url, body) => {
  const { status, errors } = problemOf(await call(world.app, 'POST', url, { body }))
  expect(status).toBe(422)
  expect(errors?.map((fault) => fault.message)).toEqual([message])
})
