import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { apiKey, domain, problem, signedIn, updateToken } from './fixtures.ts'
import { useSignInWorld } from './sign-in-world.ts'
import { type Asked, homing, LAUNCHER, type Replies, shellEnvironment } from './support.ts'

const SECRET = 'signs challenges'
const WISH = {
  requires_second_factor: true,
  login_token: 'the-step',
  methods: ['totp', 'recovery_code'],
  expires_at: '2026-05-12T08:40:00.000Z',
}
const BY_CODE: Replies = {
  'POST /api/login': { body: WISH },
  'POST /api/login/second-factor': { body: signedIn },
}

const t = useSignInWorld()
const sent = (path: string) =>
  t.server.asked
    .filter(({ request }) => request === path)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

const login = (replies: Replies, args?: string[]) => t.login(args, {}, replies)

const atPrompt = (args: string[], typing: Typed[]) =>
  atTerminal([LAUNCHER, ...args], typing, shellEnvironment({ XDG_CONFIG_HOME: t.config }))

const makeChallenge = async () =>
  createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 40,
    deriveKey,
    hmacSignatureSecret: SECRET,
    hmacKeySignatureSecret: SECRET,
    expiresAt: Math.floor(Date.now() / 1_000) + 600,
  })

describe('a CAPTCHA', () => {
  test('that is a computation is solved, and login continues', async () => {
    const challenge = await makeChallenge()
    const captcha = { provider: 'altcha', challenge_url: '/api/captcha/challenge' }
    const ended = await login({
      'POST /api/login': ({ body }) => ({
        body: body.includes('captcha_token') ? signedIn : { requires_captcha: true, captcha },
      }),
      'GET /api/captcha/challenge': { body: challenge },
    })
    expect(ended.stderr).toContain('Signed in at')
    const [, { captcha_token: token } = {}] = sent('POST /api/login')
    const payload = JSON.parse(Buffer.from(String(token), 'base64').toString()) as Parameters<
      typeof verifySolution
    >[0]
    const options = { deriveKey, hmacSignatureSecret: SECRET, hmacKeySignatureSecret: SECRET }
    expect(await verifySolution({ ...payload, ...options })).toMatchObject({ verified: true })
  })

  test('that needs a person is reported as such', async () => {
    const captcha = { provider: 'turnstile', site_key: '1x' }
    const ended = await login({ 'POST /api/login': { body: { requires_captcha: true, captcha } } })
    expect(ended.exitCode).toBe(4)
    expect(ended.stderr).toMatch(/needs a browser.* --with-token/)
  })

  test('that is refused after it was solved is not solved again', async () => {
    const captcha = { provider: 'altcha' }
    const ended = await login({
      'POST /api/login': { body: { requires_captcha: true, captcha } },
      'GET /api/captcha/challenge': { body: await makeChallenge() },
    })
    expect(ended.exitCode).toBe(4)
    expect(sent('POST /api/login')).toHaveLength(2)
  })
})

describe('a second factor', () => {
  test.each([
    ['123456', { code: '123456' }],
    ['7QK2MD-0XW9T4-HB3ZRE-5NCA8J', { recovery_code: '7QK2MD-0XW9T4-HB3ZRE-5NCA8J' }],
  ])('is shown by --code %s', async (code, shown) => {
    expect((await login(BY_CODE, ['--code', code])).exitCode).toBe(0)
    expect(sent('POST /api/login/second-factor')).toEqual([{ login_token: 'the-step', ...shown }])
    expect(t.keptToken()).toBe('the-session')
  })

  test('without a terminal says how to give a code', async () => {
    const ended = await login(BY_CODE)
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' })
    expect(ended.stderr).toMatch(/second factor, .* homing login --code/)
  })

  test('that is wrong leaves nobody signed in', async () => {
    const wrong = problem(401, 'wrong-credentials', { detail: 'The code is not right.' })
    const ended = await login({ ...BY_CODE, 'POST /api/login/second-factor': wrong }, [
      '--code',
      '000000',
    ])
    expect(ended).toMatchObject({ exitCode: 4, stderr: 'The code is not right.\n' })
    expect(() => t.keptToken()).toThrow('ENOENT')
  })

  test('with only passkeys needs a browser', async () => {
    const passkeys = { ...WISH, methods: ['passkey'] }
    const ended = await login({ ...BY_CODE, 'POST /api/login': { body: passkeys } })
    expect(ended.exitCode).toBe(4)
    expect(ended.stderr).toMatch(/passkey, which needs a browser/)
  })

  test('that can no longer be used needs an administrator', async () => {
    const nothing = { ...WISH, methods: [] }
    const ended = await login({ ...BY_CODE, 'POST /api/login': { body: nothing } })
    expect(ended.exitCode).toBe(4)
    expect(ended.stderr).toContain('Ask the provider of the service to reset it.')
  })

  test('is requested at a terminal, without echo', needs('script'), async () => {
    Object.assign(t.server.replies, BY_CODE)
    const { exitCode, shown } = await atPrompt(
      ['login', '--server', t.server.url, '--username', 'ada'],
      [
        ['Password', 'typed\r'],
        ['Code of your authenticator app', '654321\r'],
      ],
    )
    expect(exitCode).toBe(0)
    expect(shown).not.toContain('654321')
    expect(sent('POST /api/login/second-factor')).toEqual([
      { login_token: 'the-step', code: '654321' },
    ])
  })
})

describe('confirming identity', () => {
  const refused = problem(403, 'step-up-required', { detail: 'Confirm who you are.' })
  const made = { ...apiKey(), key: 'ak_secret' }
  const token = { ...updateToken, token: 'ut_secret' }
  const factors = { is_on: false, methods: [], totp_since: null, passkeys: 0 }

  function keepSession(): void {
    mkdirSync(join(t.profileFile(), '..'), { recursive: true, mode: 0o700 })
    const kept = { server: t.server.url, kind: 'session', token: 'old-token', username: 'ada' }
    writeFileSync(t.profileFile(), JSON.stringify(kept), { mode: 0o600 })
  }

  function wantsProof(secondFactors: object): void {
    const isNew = ({ authorization }: Asked) => authorization === 'Bearer new-token'
    Object.assign(t.server.replies, {
      'POST /api/api-keys/': (asked: Asked) =>
        isNew(asked) ? { status: 201, body: made } : refused,
      'GET /api/domains/fqdn/home.example.net': { body: domain() },
      [`POST /api/domains/${domain().id}/update-token`]: (asked: Asked) =>
        isNew(asked) ? { status: 201, body: token } : refused,
      'GET /api/me/second-factors': { body: secondFactors },
      'POST /api/me/confirm': {
        body: { token: 'new-token', confirmed_until: '2026-05-12T09:00:00Z' },
      },
    } satisfies Replies)
  }

  const byPassword = [
    factors,
    'Your password, once more',
    'secret',
    { password: 'secret' },
  ] as const
  const byCode = [
    { ...factors, is_on: true, methods: ['totp'] },
    'Code of',
    '123456',
    { code: '123456' },
  ] as const

  test.each([
    [['keys', 'create', 'ci'], 'ak_secret', ...byPassword],
    [['keys', 'create', 'ci'], 'ak_secret', ...byCode],
    [['tokens', 'create', 'home.example.net'], 'ut_secret', ...byPassword],
  ])('%j asks, stores the new token, and continues', needs('script'), async (...row) => {
    const [command, secret, secondFactors, question, typed, proof] = row
    keepSession()
    wantsProof(secondFactors)
    const { exitCode, shown } = await atPrompt(command, [[question, `${typed}\r`]])
    expect(shown).toContain(secret)
    expect(exitCode).toBe(0)
    expect(sent('POST /api/me/confirm')).toEqual([proof])
    expect(t.keptToken()).toBe('new-token')
  })

  test('is not requested in a pipeline', async () => {
    keepSession()
    wantsProof(factors)
    const ended = await homing(['keys', 'create', 'ci'], { XDG_CONFIG_HOME: t.config })
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' })
    expect(ended.stderr).toMatch(/^Confirm who you are\. .*homing login/)
    expect(sent('POST /api/me/confirm')).toEqual([])
  })
})
