import type { UsernameAvailability } from '@homing/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true })
  await world.person('Ada')
})
afterAll(() => world.end())

const check = (username: string, ip = '192.0.2.7') =>
  call(world.app, 'GET', `/api/usernames/${encodeURIComponent(username)}/availability`, { ip })

test.each<[string, UsernameAvailability['reason']]>([
  ['grace', null],
  ['g.r-a_ce', null],
  ['ada', 'taken'],
  ['ADA', 'taken'],
  ['root', 'taken'],
  ['a.d.m.i.n', 'taken'],
  ['Sup-Port', 'taken'],
  ['ab', 'invalid'],
  ['-ada', 'invalid'],
  ['ada@mail.test', 'invalid'],
  ['zoë', 'invalid'],
  ['a\0b', 'invalid'],
  ['x'.repeat(33), 'invalid'],
  [' ada', 'invalid'],
])('%j: %s', async (username, reason) => {
  const reply = await check(username)
  expect(reply.status).toBe(200)
  expect(reply.json()).toEqual({ available: reason === null, reason })
  expect(reply.headers['cache-control']).toBe('no-store')
})

test('an available name can be registered, and then no more', async () => {
  expect((await check('linus')).json()).toMatchObject({ available: true })
  const body = { username: 'Linus', email: 'l@mail.test', password: 'correct horse battery' }
  expect((await call(world.app, 'POST', '/api/register', { body })).status).toBe(201)
  expect((await check('linus')).json()).toMatchObject({ available: false, reason: 'taken' })
})

test('a network can check 600 names an hour', async () => {
  const { rateLimits } = world.services
  for (let n = 0; n < 600; n += 1) await rateLimits.take('availability-network', '198.51.100.9/32')
  expect((await check('grace', '198.51.100.8')).status).toBe(200)
  const refused = await check('grace', '198.51.100.9')
  const byDomain = await call(world.app, 'GET', '/api/zones/availability?label=home', {
    ip: '198.51.100.9',
  })
  expect([refused.status, byDomain.status]).toEqual([429, 429])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})
