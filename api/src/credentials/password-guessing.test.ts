/** How often a password can be guessed, and who is locked out by that. */
import { describe, expect, test } from 'vitest'
import { openApiWorld, PASSWORD } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'
import { usePasswordWorld } from '../../test/support/password-world.ts'
import { RateLimits } from '../limits/rate-limits.ts'
import { query } from '../database/sql.ts'
import { authenticatePassword } from './password.ts'

const t = usePasswordWorld()

describe('guessing', () => {
  test('one network gets six attempts for a name in an hour; the owner can sign in elsewhere', async () => {
    expect(await t.guess(200, t.newNetwork())).toBe(6)
    expect(await t.attempt(PASSWORD, t.newNetwork())).toMatchObject({
      kind: 'account',
      userId: t.id,
    })
  })

  test('any number of networks together get at most ten evaluations', async () => {
    for (let n = 0; n < 30; n += 1) await t.guess(3, t.newNetwork())
    expect(t.evaluated).toBeLessThanOrEqual(10)
  })

  test('by name and by address, an account gets at most twenty attempts', async () => {
    for (let n = 0; n < 15; n += 1) {
      await t.guess(2, t.newNetwork())
      await t.guess(2, t.newNetwork(), `${t.name}@mail.test`)
    }
    // Each address is tried twice.
    const byAddress = 2
    expect(t.evaluated).toBeLessThanOrEqual(10 + 10 * byAddress)
  })

  test('concurrent attempts cannot exceed a limit together', async () => {
    const ip = t.newNetwork()
    await Promise.all(Array.from({ length: 50 }, (_, n) => t.attempt(`guess ${n}`, ip)))
    expect(t.evaluated).toBe(6)
  })

  test('one network gets a hundred attempts for all names together', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 150; n += 1) await t.attempt('one password', ip, `name-${n}`)
    expect(t.evaluated).toBe(100)
    expect(await t.attempt(PASSWORD, ip)).toMatchObject({ kind: 'throttled' })
  })

  test('attempts for many names add no row for each once the network is refused', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 130; n += 1) await t.attempt('one password', ip, `name-${n}`)
    const [rows] = await query<{ count: number }>(
      t.world.knex,
      `select count(*)::int as count from rate_limits where key like 'password-pair%'`,
    )
    // The hundred attempts, and the one that the limit refused.
    expect(rows?.count).toBe(101)
  })

  test('the addresses of one IPv6 network count as one', async () => {
    for (let n = 0; n < 20; n += 1) await t.attempt(`guess ${n}`, `2001:db8:0:${t.people}::${n}`)
    expect(t.evaluated).toBe(6)
  })

  test('while strangers have used up the attempts, a network that the owner uses is accepted', async () => {
    const home = t.newNetwork()
    await t.attempt(PASSWORD, home)
    for (let n = 0; n < 10; n += 1) await t.guess(3, t.newNetwork())
    expect(await t.attempt(PASSWORD, t.newNetwork())).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await t.attempt(PASSWORD, home)).toMatchObject({ kind: 'account' })
  })

  test('an account that does not exist is limited in the same way', async () => {
    expect(await t.guess(50, t.newNetwork(), `nobody-${t.people}`)).toBe(6)
  })

  test('a limit survives a restart', async () => {
    const ip = t.newNetwork()
    await t.guess(6, ip)
    const restarted = { ...t.world.services, rateLimits: new RateLimits(t.world.knex, true) }
    const claim = { username: t.name, password: 'guess', ip }
    expect((await authenticatePassword(restarted, claim)).kind).toBe('throttled')
  })

  test('POST /api/login returns 429 with the time to wait', async () => {
    const ip = t.newNetwork()
    await t.guess(6, ip)
    const body = { username_or_email: t.name, password: 'guess' }
    const reply = await call(t.world.app, 'POST', '/api/login', { body, ip })
    expect(reply.status).toBe(429)
    const wait = Number(reply.headers['retry-after'])
    expect(wait).toBeGreaterThan(3_500)
    expect(wait).toBeLessThanOrEqual(3_600)
  })
})

test('a password that could not be evaluated does not count as an attempt', async () => {
  const ip = t.newNetwork()
  t.isBusy = true
  for (let n = 0; n < 20; n += 1) {
    await expect(t.attempt(PASSWORD, ip)).rejects.toMatchObject({ code: 'unavailable' })
  }
  t.isBusy = false
  expect(await t.attempt(PASSWORD, ip)).toMatchObject({ kind: 'account', userId: t.id })
  const counted = await query(t.world.knex, 'select 1 from rate_limits where points > 0')
  expect(counted).toEqual([])
})

test('with RATE_LIMITS=off nothing is limited', async () => {
  const free = await openApiWorld({ rateLimits: false }, { passwords: t.passwords })
  try {
    const before = t.evaluated
    for (let n = 0; n < 150; n += 1) {
      await authenticatePassword(free.services, {
        username: 'nobody',
        password: `guess ${n}`,
        ip: '192.0.2.1',
      })
    }
    expect(t.evaluated - before).toBe(150)
  } finally {
    await free.end()
  }
})
