import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'

const DAY_MS = 86_400_000
let world: ApiWorld
let clock = new Date()

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())

const pass = (days: number) => (clock = new Date(clock.getTime() + days * DAY_MS))
const status = async ({ headers }: Caller) =>
  (await call(world.app, 'GET', '/api/me', { headers })).status

test('an unused session ends after 30 days', async () => {
  const ada = await world.person('ada')
  pass(29)
  expect(await status(ada)).toBe(200)
  pass(30)
  expect(await status(ada)).toBe(401)
})

test('a session in daily use ends after 90', async () => {
  const bob = await world.person('bob')
  for (let day = 1; day < 90; day += 1) {
    pass(1)
    expect(await status(bob)).toBe(200)
  }
  pass(1)
  expect(await status(bob)).toBe(401)
})
