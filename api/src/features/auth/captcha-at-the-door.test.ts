import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { solveCaptcha } from '../../../test/support/captcha.ts'
import { Refusal } from '../../rules/errors.ts'
import type { Captcha, CaptchaAction } from '../../integrations/captcha.ts'

/** Accepts `solved`, once for each purpose. */
class SimpleCaptcha implements Captcha {
  readonly terms = { provider: 'turnstile', site_key: 'key' } as const
  readonly shown: string[] = []
  isDown = false

  async accepts(token: string, action: CaptchaAction): Promise<boolean> {
    this.shown.push(`${action} ${token}`)
    if (this.isDown) throw new Refusal('unavailable', 'Away.', { retryAfterSeconds: 30 })
    return token === 'solved'
  }
}

const captcha = new SimpleCaptcha()
let world: ApiWorld
let people = 0
let name: string
let evaluated = 0

beforeAll(async () => {
  const passwords = {
    hash: async (password: string) => password,
    async verify(hash: string, password: string) {
      evaluated += 1
      return hash.startsWith('$argon2id$') && password === PASSWORD && !hash.includes('bZeevPVag')
    },
  }
  world = await openApiWorld({ rateLimits: true }, { captcha, passwords })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  name = `person${people}`
  await world.person(name)
  captcha.shown.length = 0
  captcha.isDown = false
  evaluated = 0
})

let networks = 0
/** An address of a network without earlier calls. */
function newNetwork(): string {
  networks += 1
  return `198.${18 + (networks >> 8)}.${networks & 255}.1`
}

interface Attempt {
  readonly username?: string
  readonly password?: string
  readonly ip?: string
  readonly token?: string
}

const login = ({ username = name, password = PASSWORD, ip = newNetwork(), token }: Attempt) =>
  call(world.app, 'POST', '/api/login', {
    body: {
      username_or_email: username,
      password,
      ...(token === undefined ? {} : { captcha_token: token }),
    },
    ip,
  })

/** Wrong passwords, each from another network. */
async function failTimes(count: number, username = name): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    expect((await login({ username, password: `guess ${n}` })).status).toBe(401)
  }
}

test('solved CAPTCHAs of people who share an address use up no attempts', async () => {
  await failTimes(3)
  const ip = newNetwork()
  for (let n = 0; n < 199; n += 1)
    await world.services.rateLimits.take('captcha-network', `${ip}/32`)
  for (let n = 0; n < 3; n += 1) {
    expect((await login({ ip, token: 'solved' })).json()).toHaveProperty('token')
  }
  expect((await login({ ip, token: 'made up' })).json()).toHaveProperty('requires_captcha')
  expect(problemOf(await login({ ip, token: 'made up' })).code).toBe('rate-limited')
})
const WANTED = {
  requires_captcha: true,
  captcha: { provider: 'turnstile', site_key: 'key' },
}

describe('signing in', () => {
  test('requires no CAPTCHA before the first failure', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await login({ token: 'not looked at' })).json()).toHaveProperty('token')
    }
    expect(captcha.shown).toEqual([])
  })

  test('requires one after three failures of a name, and does not check the password', async () => {
    await failTimes(3)
    evaluated = 0
    const reply = await login({})
    expect(reply.status).toBe(200)
    expect(reply.json()).toEqual(WANTED)
    expect((await login({ token: 'wrong' })).json()).toEqual(WANTED)
    expect((await login({ password: 'guess', token: 'wrong' })).json()).toEqual(WANTED)
    expect(evaluated).toBe(0)
    expect(captcha.shown).toEqual(['login wrong', 'login wrong'])
  })

  test('succeeds with a solved one', async () => {
    await failTimes(3)
    expect((await login({ token: 'solved' })).json()).toMatchObject({ username: name })
    expect((await login({ password: 'guess', token: 'solved' })).status).toBe(401)
  })

  test('responds in the same way for an account that does not exist', async () => {
    const nobody = `nobody-${people}`
    await failTimes(3)
    await failTimes(3, nobody)
    const [real, none] = [await login({}), await login({ username: nobody })]
    expect(none.text).toBe(real.text)
    expect(none.status).toBe(real.status)
    const wrong = { password: 'guess', token: 'solved' }
    const [refused, refusedToo] = [await login(wrong), await login({ ...wrong, username: nobody })]
    expect(refusedToo.status).toBe(refused.status)
    expect(problemOf(refusedToo)).toEqual({ ...problemOf(refused), requestId: expect.any(String) })
  })

  test('counts by the name as typed, so that nobody learns that a name and an address belong to one account', async () => {
    await failTimes(3)
    expect((await login({ username: name.toUpperCase() })).json()).toEqual(WANTED)
    const byAddress = await login({ username: `${name}@mail.test` })
    expect(byAddress.json()).toMatchObject({ username: name })
  })

  test('requires one from a network that failed ten times, for any name', async () => {
    const ip = newNetwork()
    for (let n = 0; n < 10; n += 1) {
      expect((await login({ username: `${name}-${n}`, password: 'one', ip })).status).toBe(401)
    }
    expect((await login({ ip })).json()).toEqual(WANTED)
    expect((await login({ ip, token: 'solved' })).json()).toMatchObject({ username: name })
    expect((await login({})).json()).toMatchObject({ username: name })
  })

  test('a solved CAPTCHA adds no attempts: the limits still apply', async () => {
    const ip = newNetwork()
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await login({ password: `guess ${n}`, ip, token: 'solved' })).status)
    }
    expect(statuses).toEqual([
      ...Array.from({ length: 6 }, () => 401),
      ...Array.from({ length: 6 }, () => 429),
    ])
    expect(evaluated).toBe(6)
    expect((await login({ token: 'solved' })).json()).toMatchObject({ username: name })
  })

  test('a network can solve two hundred in an hour', async () => {
    await failTimes(3)
    const ip = newNetwork()
    for (let n = 0; n < 200; n += 1) await login({ ip, token: 'wrong' })
    expect((await login({ ip, token: 'solved' })).status).toBe(429)
    expect(captcha.shown).toHaveLength(200)
    expect((await login({ token: 'solved' })).json()).toMatchObject({ username: name })
  })

  test('while the provider is unavailable, callers who need a CAPTCHA are refused, and others are not', async () => {
    await failTimes(3)
    captcha.isDown = true
    evaluated = 0
    const reply = await login({ token: 'solved' })
    expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(reply.headers['retry-after']).toBe('30')
    expect(evaluated).toBe(0)
    const { username } = await world.person(`${name}-other`)
    expect((await login({ username })).json()).toHaveProperty('token')
  })
})

describe('registering', () => {
  const register = (fields: object = {}, { app } = world) =>
    call(app, 'POST', '/api/register', {
      body: {
        username: `${name}-new`,
        email: `${name}-new@example.net`,
        password: PASSWORD,
        ...fields,
      },
      ip: newNetwork(),
    })

  test.each([
    ['none', {}],
    ['a wrong one', { captcha_token: 'wrong' }],
    ['an empty one', { captcha_token: '' }],
  ])('requires a solved CAPTCHA: with %s it is 422', async (_what, fields) => {
    expect(problemOf(await register(fields))).toMatchObject({
      status: 422,
      code: 'validation-failed',
      errors: [{ field: 'captcha_token', message: 'Please complete the CAPTCHA' }],
    })
    expect(captcha.shown.every((shown) => shown.startsWith('register '))).toBe(true)
    expect((await register({ captcha_token: 'solved' })).status).toBe(201)
  })

  test('returns 503 while the provider is unavailable', async () => {
    captcha.isDown = true
    const reply = await register({ captcha_token: 'solved' })
    expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
  })

  test('accepts no disposable address', async () => {
    const reply = await register({ email: 'ada@box.mailinator.com', captcha_token: 'solved' })
    expect(problemOf(reply)).toMatchObject({
      status: 422,
      code: 'validation-failed',
      errors: [{ field: 'email', message: expect.stringMatching(/disposable/) }],
    })
    expect(captcha.shown).toEqual([])
  })

  test('with default settings: a solved challenge creates one account', async () => {
    const own = await openApiWorld({ rateLimits: true, captcha: { provider: 'altcha' } })
    try {
      const captcha_token = await solveCaptcha(own.app)
      expect((await register({}, own)).status).toBe(422)
      expect((await register({ captcha_token }, own)).status).toBe(201)
      const again = { username: `${name}-again`, captcha_token }
      expect((await register(again, own)).status).toBe(422)
      const fresh = { ...again, captcha_token: await solveCaptcha(own.app) }
      expect((await register(fresh, own)).status).toBe(201)
    } finally {
      await own.end()
    }
  })
})
