import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../test/support/api-world.ts'
import { call, type Reply } from '../../test/support/calls.ts'
import { Refusal } from '../domain/errors.ts'
import { query } from '../sql.ts'
import { RateLimits } from '../integrations/rate-limits.ts'
import type { Services } from '../services.ts'
import { authenticatePassword } from './password.ts'

let world: ApiWorld
let services: Services
let evaluated = 0
let isBusy = false
let people = 0
let name: string
let id: string

beforeAll(async () => {
  const passwords = {
    hash: async (password: string) => password,
    // What is counted is how often, not how slowly.
    async verify(hash: string, password: string) {
      if (isBusy) throw new Refusal('unavailable', 'Too many people sign in at the moment.')
      evaluated += 1
      return hash === `hash of ${password}`
    },
  }
  world = await openApiWorld({ rateLimits: true }, { passwords })
  services = world.services
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  name = `person${people}`
  id = (await world.person(name)).id
  await query(world.knex, 'update users set password_hash = ? where id = ?', [
    `hash of ${PASSWORD}`,
    id,
  ])
  await query(world.knex, 'truncate rate_limits')
  evaluated = 0
  isBusy = false
})

let networks = 0
/** An address of a network that nothing came from before. */
function newNetwork(): string {
  networks += 1
  return `198.18.${networks >> 8}.${networks & 255}`
}
const attempt = (password: string, ip: string, username = name) =>
  authenticatePassword(services, { username, password, ip })

/** Guesses from one address, one after the other. @returns how many were evaluated */
async function guess(count: number, ip: string, username = name): Promise<number> {
  const before = evaluated
  for (let n = 0; n < count; n += 1) await attempt(`guess ${n}`, ip, username)
  return evaluated - before
}

describe('guessing', () => {
  test('one network gets six tries at a name in an hour; the owner elsewhere gets in', async () => {
    expect(await guess(200, newNetwork())).toBe(6)
    expect(await attempt(PASSWORD, newNetwork())).toMatchObject({ kind: 'account', userId: id })
  })

  test('any number of networks together get no more than ten evaluated', async () => {
    for (let n = 0; n < 30; n += 1) await guess(3, newNetwork())
    expect(evaluated).toBeLessThanOrEqual(10)
  })

  test('by name and by address an account has at most twenty tries', async () => {
    for (let n = 0; n < 15; n += 1) {
      await guess(2, newNetwork())
      await guess(2, newNetwork(), `${name}@mail.test`)
    }
    // An address is tried in two places each time.
    const byAddress = 2
    expect(evaluated).toBeLessThanOrEqual(10 + 10 * byAddress)
  })

  test('many at once pass no limit together', async () => {
    const ip = newNetwork()
    await Promise.all(Array.from({ length: 50 }, (_, n) => attempt(`guess ${n}`, ip)))
    expect(evaluated).toBe(6)
  })

  test('one network gets a hundred tries at all names together', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 150; n += 1) await attempt('one password', ip, `name-${n}`)
    expect(evaluated).toBe(100)
    expect(await attempt(PASSWORD, ip)).toMatchObject({ kind: 'throttled' })
  })

  test('who goes through names leaves no row for each once the network is refused', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 130; n += 1) await attempt('one password', ip, `name-${n}`)
    const [rows] = await query<{ count: number }>(
      world.knex,
      `select count(*)::int as count from rate_limits where key like 'password-pair%'`,
    )
    // The hundred that were tried, and the one that the limit refused.
    expect(rows?.count).toBe(101)
  })

  test('the addresses of one IPv6 network are one', async () => {
    for (let n = 0; n < 20; n += 1) await attempt(`guess ${n}`, `2001:db8:0:${people}::${n}`)
    expect(evaluated).toBe(6)
  })

  test('while strangers have used the tries up, a network that the owner uses is let in', async () => {
    const home = newNetwork()
    await attempt(PASSWORD, home)
    for (let n = 0; n < 10; n += 1) await guess(3, newNetwork())
    expect(await attempt(PASSWORD, newNetwork())).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await attempt(PASSWORD, home)).toMatchObject({ kind: 'account' })
  })

  test('an account that does not exist is throttled in the same way', async () => {
    expect(await guess(50, newNetwork(), `nobody-${people}`)).toBe(6)
  })

  test('survives a restart', async () => {
    const ip = newNetwork()
    await guess(6, ip)
    const restarted = { ...services, rateLimits: new RateLimits(world.knex, true) }
    const claim = { username: name, password: 'guess', ip }
    expect((await authenticatePassword(restarted, claim)).kind).toBe('throttled')
  })

  test('POST /api/login says 429 and when to come back', async () => {
    const ip = newNetwork()
    await guess(6, ip)
    const body = { username_or_email: name, password: 'guess' }
    const reply = await call(world.app, 'POST', '/api/login', { body, ip })
    expect(reply.status).toBe(429)
    const wait = Number(reply.headers['retry-after'])
    expect(wait).toBeGreaterThan(3_500)
    expect(wait).toBeLessThanOrEqual(3_600)
  })
})

describe('a machine that repeats a wrong password', () => {
  const repeat = (password: string, ip: string, username = name) =>
    authenticatePassword(services, { username, password, ip }, { isMachine: true })

  test('is told so each time, and it is evaluated once', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 60; n += 1) expect((await repeat('old', ip)).kind).toBe('wrong')
    expect(evaluated).toBe(1)
    for (let n = 0; n < 60; n += 1) await repeat('old', newNetwork())
    expect(evaluated).toBe(1)
  })

  test('and is let in at once when its owner has put the right one in', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 60; n += 1) await repeat('old', ip)
    expect(await repeat(PASSWORD, ip)).toMatchObject({ kind: 'account', userId: id })
  })

  test('and when its owner has made that the password', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 10; n += 1) await repeat('the new one', ip)
    await query(
      world.knex,
      `update users set password_hash = 'hash of the new one', credential_version = credential_version + 1 where id = ?`,
      [id],
    )
    expect(await repeat('the new one', ip)).toMatchObject({ kind: 'account', userId: id })
  })

  test('costs the same for an account that does not exist, until it does', async () => {
    const ip = newNetwork()
    const nobody = `later-${people}`
    for (let n = 0; n < 10; n += 1) await repeat(PASSWORD, ip, nobody)
    expect(evaluated).toBe(1)
    const { id: later } = await world.person(nobody)
    await query(world.knex, 'update users set password_hash = ? where id = ?', [
      `hash of ${PASSWORD}`,
      later,
    ])
    expect(await repeat(PASSWORD, ip, nobody)).toMatchObject({ kind: 'account', userId: later })
  })

  test('may not try others beyond the limit, and hears what it did before', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 40; n += 1) await repeat(`guess ${n}`, ip)
    expect(evaluated).toBe(6)
    expect((await repeat('guess 39', ip)).kind).toBe('throttled')
    expect((await repeat('guess 0', ip)).kind).toBe('wrong')
    expect(evaluated).toBe(6)
  })

  test('a person who does so is told to wait', async () => {
    const ip = newNetwork()
    const kinds: string[] = []
    for (let n = 0; n < 8; n += 1) kinds.push((await attempt('old', ip)).kind)
    expect(kinds).toEqual([...Array.from({ length: 6 }, () => 'wrong'), 'throttled', 'throttled'])
  })
})

describe('a right password', () => {
  test('of a machine is evaluated once in a while, however often it comes', async () => {
    const claim = { username: name, password: PASSWORD, ip: newNetwork() }
    for (let n = 0; n < 30; n += 1) {
      await authenticatePassword(services, claim, { isMachine: true })
    }
    const upper = { ...claim, username: name.toUpperCase() }
    await authenticatePassword(services, upper, { isMachine: true })
    expect(evaluated).toBe(1)
  })

  test('of a machine is no help to whoever guesses: elsewhere, or as a person', async () => {
    const home = newNetwork()
    const machine = (password: string, ip: string) =>
      authenticatePassword(services, { username: name, password, ip }, { isMachine: true })
    await machine(PASSWORD, home)
    const elsewhere = newNetwork()
    for (let n = 0; n < 20; n += 1) await machine(`guess ${n}`, elsewhere)
    expect((await machine(PASSWORD, elsewhere)).kind).toBe('throttled')
    expect((await attempt(PASSWORD, elsewhere)).kind).toBe('throttled')
    for (let n = 0; n < 6; n += 1) await attempt(`another ${n}`, home)
    expect((await attempt(PASSWORD, home)).kind).toBe('throttled')
    // The router of the same household goes on.
    expect((await machine(PASSWORD, home)).kind).toBe('account')
  })

  test('asked for many times at once is evaluated once', async () => {
    const ip = newNetwork()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => attempt(PASSWORD, ip)))
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['account']))
    expect(evaluated).toBe(1)
  })

  test('uses no try up', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 20; n += 1) {
      await authenticatePassword(
        services,
        { username: name, password: PASSWORD, ip },
        { afresh: true },
      )
    }
    expect(evaluated).toBe(20)
  })

  test('is told with the version of the credentials that it was right for', async () => {
    const claim = { username: name, password: PASSWORD, ip: newNetwork() }
    const isMachine = true
    const first = await authenticatePassword(services, claim, { isMachine })
    await query(
      world.knex,
      `update users set credential_version = credential_version + 1, password_hash = '' where id = ?`,
      [id],
    )
    expect(await authenticatePassword(services, claim, { isMachine })).toEqual(first)
    const afresh = { isMachine, afresh: true }
    const wrong = { kind: 'wrong', userId: id }
    expect(await authenticatePassword(services, claim, afresh)).toEqual(wrong)
    expect(await authenticatePassword(services, claim, { isMachine })).toEqual({ kind: 'wrong' })
  })
})

describe('signing up and asking for mail', () => {
  const post = (url: string, body: object, ip: string) => call(world.app, 'POST', url, { body, ip })

  let neighbourhoods = 0
  /** Addresses of an IPv4 network that nobody registered from before. */
  function newNeighbourhood(): (host: number) => string {
    neighbourhoods += 1
    const network = `198.51.${neighbourhoods}`
    return (host) => `${network}.${host}`
  }
  const register = (username: string, ip: string) => {
    const body = { username, email: `${username}@example.net`, password: PASSWORD }
    return post('/api/register', body, ip)
  }

  test.each([
    ['an IPv4 network', newNeighbourhood()],
    ['an IPv6 site', (n: number) => `2001:db8:3:${n}::1`],
  ])('%s opens three accounts in a day, and those that failed do not count', async (_what, ip) => {
    const replies: Reply[] = []
    for (let n = 0; n < 3; n += 1) {
      expect((await register(name, ip(n))).status).toBe(409)
      replies.push(await register(`${name}-${n}`, ip(n)))
    }
    replies.push(await register(`${name}-more`, ip(9)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    const wait = Number(replies.at(-1)?.headers['retry-after'])
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
    const elsewhere = newNeighbourhood()
    expect((await register(`${name}-elsewhere`, elsewhere(1))).status).toBe(201)
  })

  test('many registrations at once pass the limit of a day no more than three times', async () => {
    const ip = newNeighbourhood()
    const names = Array.from({ length: 8 }, (_, n) => `${name}-${n}`)
    const replies = await Promise.all(names.map((each, n) => register(each, ip(n))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
  })

  test('a network tries twenty times in an hour', async () => {
    const ip = newNeighbourhood()
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) {
      statuses.push((await register(name, ip(n))).status)
    }
    expect(statuses.filter((status) => status === 409)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429])
  })

  test('an address is sent five links in an hour, whether it has an account or not', async () => {
    for (const email of [`${name}@mail.test`, 'nobody@example.net']) {
      const replies: Reply[] = []
      for (let n = 0; n < 7; n += 1) {
        replies.push(await post('/api/resend-verification', { email }, newNetwork()))
      }
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
      const [refused] = replies.slice(-1)
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_500)
      expect(refused?.json()).toMatchObject({
        detail: 'Too many requests. Please wait before trying again.',
      })
    }
  })
})

test('what could not be evaluated is no try', async () => {
  const ip = newNetwork()
  isBusy = true
  for (let n = 0; n < 20; n += 1) {
    await expect(attempt(PASSWORD, ip)).rejects.toMatchObject({ code: 'unavailable' })
  }
  isBusy = false
  expect(await attempt(PASSWORD, ip)).toMatchObject({ kind: 'account', userId: id })
  const counted = await query(world.knex, 'select 1 from rate_limits where points > 0')
  expect(counted).toEqual([])
})

test('with RATE_LIMITS=off nothing is limited', async () => {
  const free = await openApiWorld({ rateLimits: false }, { passwords: services.passwords })
  try {
    const before = evaluated
    for (let n = 0; n < 150; n += 1) {
      await authenticatePassword(free.services, {
        username: 'nobody',
        password: `guess ${n}`,
        ip: '192.0.2.1',
      })
    }
    expect(evaluated - before).toBe(150)
  } finally {
    await free.end()
  }
})
