/** A household has one IPv6 /64: what its machines do at the same moment is one try. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../test/support/api-world.ts'
import { authenticatePassword } from './password.ts'

let world: ApiWorld
let evaluated = 0

beforeAll(async () => {
  const passwords = {
    hash: async (password: string) => password,
    async verify(_hash: string, password: string) {
      evaluated += 1
      return password === PASSWORD
    },
  }
  world = await openApiWorld({ rateLimits: true }, { passwords })
})
afterAll(() => world.end())

const MACHINES = Array.from({ length: 20 }, (_, n) => `2001:db8:7:7::${n + 1}`)

/** All of them at the full minute. @returns what each was told */
async function atOnce(username: string, password: string): Promise<string[]> {
  const verdicts = await Promise.all(
    MACHINES.map((ip) =>
      authenticatePassword(world.services, { username, password, ip }, { isMachine: true }),
    ),
  )
  return verdicts.map(({ kind }) => kind)
}

test('the right password lets every machine in, and is evaluated once for all of them', async () => {
  await world.person('ada')
  evaluated = 0
  const all = MACHINES.map(() => 'account')
  expect(await atOnce('ada', PASSWORD)).toEqual(all)
  expect(evaluated).toBe(1)
  // Each is remembered at its own address.
  expect(await atOnce('ada', PASSWORD)).toEqual(all)
  expect(evaluated).toBe(1)
})

test('a wrong one is one try, and five more are left', async () => {
  await world.person('bob')
  evaluated = 0
  expect(new Set(await atOnce('bob', 'wrong 0'))).toEqual(new Set(['wrong']))
  for (let n = 1; n <= 5; n += 1) await atOnce('bob', `wrong ${n}`)
  expect(evaluated).toBe(6)
  expect(new Set(await atOnce('bob', 'wrong 6'))).toEqual(new Set(['throttled']))
  expect(evaluated).toBe(6)
})
