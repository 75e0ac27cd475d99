/**
 * Every tenant of a server provider can get an IPv6 /48, which has 65,536 networks of the size that limits count (/64).
 * So guesses and requests for mail are also counted for the /48, with a limit eight times as high.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'
import type { Captcha } from '../integrations/captcha.ts'
import { query } from '../database/sql.ts'

/** A CAPTCHA that accepts no solution. */
const captcha: Captcha = {
  terms: { provider: 'turnstile', site_key: 'key' },
  accepts: async () => false,
}
const passwords = { hash: async () => 'a hash', verify: async () => false }

let plain: ApiWorld
let withCaptcha: ApiWorld
let asked = 0

beforeAll(async () => {
  plain = await openApiWorld({ rateLimits: true }, { passwords })
  withCaptcha = await openApiWorld({ rateLimits: true }, { passwords, captcha })
})
afterAll(async () => {
  await plain.end()
  await withCaptcha.end()
})

let site = 0
beforeEach(async () => {
  site += 1
  for (const { knex } of [plain, withCaptcha]) await query(knex, 'truncate rate_limits')
})

/** An address in the /48 of the current test. */
const at = (network: number) => `2001:db8:${site.toString(16)}:${network.toString(16)}::1`
/** An address in a neighbouring /48. */
const ELSEWHERE = '2001:db8:ffff:1::1'
const IPV4 = '198.51.100.7'

const nobody = () => `nobody-${(asked += 1)}`
const post = async (url: string, ip: string, body: object, { app } = plain) =>
  call(app, 'POST', url, { ip, body })

async function update(ip: string): Promise<number> {
  const basic = Buffer.from(`${nobody()}:guess`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  return (await call(plain.app, 'GET', '/nic/update', { ip, headers })).status
}
async function signIn(ip: string): Promise<number> {
  return (await post('/api/login', ip, { username_or_email: nobody(), password: 'guess' })).status
}
/** 200 means that a CAPTCHA is required before the password is checked, 401 that the password is wrong. */
async function signInWithoutCaptcha(ip: string): Promise<number> {
  const body = { username_or_email: nobody(), password: 'guess' }
  return (await post('/api/login', ip, body, withCaptcha)).status
}
/** Sends a made-up solution for a name whose earlier attempts make the CAPTCHA required. */
async function showCaptcha(ip: string): Promise<number> {
  const name = nobody()
  for (let n = 0; n < 3; n += 1) {
    await withCaptcha.services.rateLimits.take('password-account', name)
  }
  const body = { username_or_email: name, password: 'guess', captcha_token: 'made up' }
  return (await post('/api/login', ip, body, withCaptcha)).status
}
const mailTo = (url: string) => async (ip: string) =>
  (await post(url, ip, { email: `${nobody()}@mail.test` })).status
const challenge = async (ip: string) => (await post('/api/login/passkey/options', ip, {})).status

interface Case {
  readonly limit: string
  /** The hourly limit of a /64. */
  readonly perNetwork: number
  readonly ask: (ip: string) => Promise<number>
  readonly allowed: number
  readonly refused: number
}

const CASES: Readonly<Record<string, Case>> = {
  'sign-in': {
    limit: 'password-network',
    perNetwork: 100,
    ask: signIn,
    allowed: 401,
    refused: 429,
  },
  'passwords at update URLs': {
    limit: 'password-network',
    perNetwork: 100,
    ask: update,
    allowed: 401,
    refused: 503,
  },
  'sign-in without a CAPTCHA': {
    limit: 'password-network',
    perNetwork: 10,
    ask: signInWithoutCaptcha,
    allowed: 401,
    refused: 200,
  },
  'made-up solutions of a CAPTCHA': {
    limit: 'captcha-network',
    perNetwork: 200,
    ask: showCaptcha,
    allowed: 200,
    refused: 429,
  },
  'passkey challenges': {
    limit: 'passkey-network',
    perNetwork: 300,
    ask: challenge,
    allowed: 200,
    refused: 429,
  },
  'forgotten passwords': {
    limit: 'forgot-network',
    perNetwork: 20,
    ask: mailTo('/api/forgot-password'),
    allowed: 200,
    refused: 429,
  },
  'links that are sent again': {
    limit: 'resend-network',
    perNetwork: 20,
    ask: mailTo('/api/resend-verification'),
    allowed: 200,
    refused: 429,
  },
}

/** The counts of a limit in the database, the highest first. */
async function counts(limit: string): Promise<number[]> {
  const rows: { points: number }[] = []
  for (const { knex } of [plain, withCaptcha]) {
    const sql = 'select points from rate_limits where key like ? and points > 0'
    rows.push(...(await query<{ points: number }>(knex, sql, [`${limit}:%`])))
  }
  return rows.map(({ points }) => points).toSorted((a, b) => b - a)
}

/** Sets the counter of every counted network to this value. */
async function setCounts(limit: string, points: number): Promise<void> {
  for (const { knex } of [plain, withCaptcha]) {
    await query(knex, 'update rate_limits set points = ? where key like ?', [points, `${limit}:%`])
  }
}

describe.each(Object.entries(CASES))(
  '%s',
  (_what, { limit, perNetwork, ask, allowed, refused }) => {
    test('an IPv6 /48 gets eight times the limit of a /64, and other sites keep theirs', async () => {
      expect(await ask(at(1))).toBe(allowed)
      await setCounts(limit, 8 * perNetwork - 1)
      expect(await ask(at(2))).toBe(allowed)
      expect(await ask(at(3))).toBe(refused)
      expect(await ask(at(4))).toBe(refused)
      expect([await ask(ELSEWHERE), await ask(IPV4)]).toEqual([allowed, allowed])
    })

    test('a /64 gets its own limit, and refusals there do not affect its neighbours', async () => {
      expect(await ask(at(1))).toBe(allowed)
      await setCounts(limit, perNetwork - 1)
      expect(await ask(at(1))).toBe(allowed)
      const before = await counts(limit)
      for (let n = 0; n < 3; n += 1) expect(await ask(at(1))).toBe(refused)
      expect((await counts(limit)).at(-1)).toBe(before.at(-1))
      expect(await ask(at(2))).toBe(allowed)
    })

    test('IPv4 is counted by address only', async () => {
      await ask(IPV4)
      expect(await counts(limit)).toEqual([1])
    })
  },
)

test('calls from many networks of a refused /48 add no row for each, and use up none of their limits', async () => {
  await signIn(at(1))
  await setCounts('password-network', 800)
  for (let n = 2; n < 6; n += 1) expect(await signIn(at(n))).toBe(429)
  const [rows] = await query<{ pairs: number; networks: number }>(
    plain.knex,
    `select count(*) filter (where key like 'password-pair:%')::int as pairs,
            count(*) filter (where key like 'password-network:%' and points > 0)::int as networks
     from rate_limits`,
  )
  // The first network and its /48, and the one pair that was counted before the /48 was known to be over its limit.
  expect(rows).toEqual({ pairs: 2, networks: 2 })
})
