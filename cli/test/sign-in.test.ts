import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { me, problem, signedIn } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  homing,
  passwordFile,
  type Reply,
  temporaryFolder,
} from './support.ts'

const LOGIN = { 'POST /api/login': { body: signedIn } }
const ME = { 'GET /api/me': { body: me } }
const LOGOUT = { 'POST /api/logout': { status: 204 } }
const ZONES = { 'GET /api/zones/available': { body: [{ zone: 'example.net' }] } }
const BY_PASSWORD = ['login', '--username', 'ada', '--with-password-stdin']

let server: FakeServer
let config: string
beforeEach(async () => {
  server = await fakeServer({})
  config = temporaryFolder()
})
afterEach(() => server.close())

const profileFile = (name = 'default') => join(config, 'homing', 'profiles', `${name}.json`)
const requests = () => server.asked.map(({ request }) => request)

/** With the server that `login` was told, unless the environment names one. */
async function run(
  replies: Record<string, Reply>,
  args: string[],
  { input = '', ...env }: Record<string, string> = {},
) {
  Object.assign(server.replies, replies)
  return homing(args, { XDG_CONFIG_HOME: config, ...env }, input)
}
const login = (args: string[] = [], env: Record<string, string> = {}) =>
  run(LOGIN, [...BY_PASSWORD, '--server', server.url, ...args], {
    input: 'the pass word\n',
    ...env,
  })

describe('login', () => {
  test('keeps the session for its owner alone, and says where', async () => {
    expect(await login()).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        `Signed in at ${server.url} as ada, plan pro.\n` +
        `Kept in ${profileFile()}\n` +
        'Next: homing domains\n',
    })
    expect(server.asked[0]?.body).toBe(
      JSON.stringify({ username_or_email: 'ada', password: 'the pass word' }),
    )
    expect(JSON.parse(readFileSync(profileFile(), 'utf8'))).toEqual({
      server: server.url,
      kind: 'session',
      token: 'the-session',
      username: 'ada',
    })
    expect(statSync(profileFile()).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(profileFile())).mode & 0o777).toBe(0o700)
    expect(readdirSync(dirname(profileFile()))).toEqual(['default.json'])
  })

  test('--json tells no secret', async () => {
    const { stdout } = await login(['--json', '--profile', 'work'])
    expect(JSON.parse(stdout)).toEqual({
      server: server.url,
      profile: 'work',
      credential: 'session',
      username: 'ada',
      plan: 'pro',
      kept_in: profileFile('work'),
    })
  })

  test('again: the session before ends', async () => {
    await login()
    Object.assign(server.replies, LOGOUT, {
      'POST /api/login': { body: { ...signedIn, token: 'new' } },
    })
    await homing([...BY_PASSWORD], { XDG_CONFIG_HOME: config }, 'the pass word')
    expect(server.asked.at(-1)).toMatchObject({
      request: 'POST /api/logout',
      authorization: 'Bearer the-session',
    })
    expect(readFileSync(profileFile(), 'utf8')).toContain('"new"')
  })

  test('with a password file', async () => {
    const file = passwordFile('from a file')
    const account = ['--username', 'ada', '--password-file', file]
    await run(LOGIN, ['login', '--server', server.url, ...account])
    expect(server.asked[0]?.body).toContain('from a file')
  })

  test('with an API key, which does not tell whose it is', async () => {
    const args = ['login', '--with-token', '--server', server.url]
    const replies = { 'GET /api/me': problem(403, 'forbidden'), ...ZONES }
    const { exitCode, stderr } = await run(replies, args, { input: 'ak_key\n' })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('with an API key.')
    expect(JSON.parse(readFileSync(profileFile(), 'utf8'))).toEqual({
      server: server.url,
      kind: 'key',
      token: 'ak_key',
    })
  })

  test.each([
    ['wrong-credentials', 401, {}, 4, 'This is why.\n'],
    [
      'email-not-verified',
      403,
      {},
      4,
      'This is why. The link is in the mail that came when you registered.\n',
    ],
    ['rate-limited', 429, { 'retry-after': '90' }, 3, 'This is why. Try again in 2 min.\n'],
    [
      'unavailable',
      503,
      { 'retry-after': '5' },
      7,
      'This is why. Try again in 5 s. (request r1)\n',
    ],
  ] as const)('%s: nothing is kept', async (code, status, headers, exitCode, stderr) => {
    const refused = { 'POST /api/login': { ...problem(status, code), headers } }
    const ended = await run(refused, [...BY_PASSWORD, '--server', server.url], { input: 'x' })
    expect(ended).toEqual({ exitCode, stdout: '', stderr })
    expect(readdirSync(config)).toEqual([])
  })

  test.each([
    [['login'], '', 64, /give --username\./],
    [['login', '--username', 'ada'], '', 64, /give --with-password-stdin\./],
    [['login', '--with-password-stdin'], 'x', 64, /--username NAME/],
    [BY_PASSWORD, '', 4, /^No password: the first line of standard input is empty/],
    [['login', '--with-token', '--username', 'ada'], 'x', 64, /--with-token/],
  ])('%j, with nobody to ask', async (args, input, exitCode, line) => {
    const ended = await run(LOGIN, args, { HOMING_URL: server.url, input })
    expect(ended).toMatchObject({ exitCode, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(server.asked).toEqual([])
  })
})

describe('secrets are not taken on the command line, nor repeated', () => {
  const KEY = `ak_${'a1B2'.repeat(9)}`

  test.each([
    [['login', '--password', 'hunter2'], /^--password is not taken: /],
    [['login', '--password=hunter2'], /^--password is not taken: /],
    [['login', '--token=hunter2'], /^--token is not taken: /],
    [['login', '--with-token=hunter2'], /^--with-token is not taken: /],
    [['domains', '--api-key', 'hunter2'], /^--api-key is not taken: /],
    [['domains', 'show', KEY], /^An argument looks like a key: /],
    [
      ['login', '--server', `https://ada:hunter2@dns.example.net`],
      /without a user name and password/,
    ],
  ])('%j', async (args, line) => {
    const ended = await run({}, args)
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr).not.toMatch(/hunter2|a1B2/)
  })
})

describe('a profile', () => {
  test('signs the other commands in at its server', async () => {
    await login()
    expect(await run(ZONES, ['zones'])).toMatchObject({ exitCode: 0, stdout: 'example.net\n' })
    expect(server.asked.at(-1)?.authorization).toBe('Bearer the-session')
  })

  test('is one of several, by flag before environment', async () => {
    await login(['--profile', 'work'])
    expect((await run(ZONES, ['zones'])).exitCode).toBe(4)
    expect((await run(ZONES, ['zones'], { HOMING_PROFILE: 'work' })).exitCode).toBe(0)
    const other = await run(ZONES, ['zones', '--profile', 'home'], { HOMING_PROFILE: 'work' })
    expect(other).toMatchObject({
      exitCode: 4,
      stderr: 'Not signed in. Sign in: homing login --profile home\n',
    })
  })

  test('is sent to the server that gave it and to no other', async () => {
    await login()
    const other = await fakeServer(ZONES)
    try {
      const ended = await run({}, ['zones', '--server', other.url])
      expect(ended.exitCode).toBe(4)
      expect(ended.stderr).toContain(`the profile default is for ${server.url}`)
      expect(other.asked).toEqual([])
    } finally {
      other.close()
    }
  })

  test('stands behind a key of the environment, and that behind a password', async () => {
    await login()
    await run(ZONES, ['zones'], { HOMING_API_KEY: 'ak_env' })
    expect(server.asked.at(-1)?.authorization).toBe('Bearer ak_env')
    const account = ['--username', 'bob', '--password-file', passwordFile('secret')]
    await run({ ...ZONES, ...LOGIN, ...LOGOUT }, ['zones', ...account], {
      HOMING_API_KEY: 'ak_env',
    })
    expect(server.asked.find(({ body }) => body.includes('bob'))?.body).toContain('secret')
  })

  test.each([0o644, 0o640, 0o604])('of mode %o is refused with what to run', async (mode) => {
    await login()
    chmodSync(profileFile(), mode)
    const ended = await run(ZONES, ['zones'])
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' })
    expect(ended.stderr).toBe(
      `Others can read ${profileFile()}, which signs you in. Make it yours alone: chmod 600 '${profileFile()}'\n`,
    )
  })

  test.each(['', '{', '[]', '{"server": 1}'])('that holds %j is told as damaged', async (text) => {
    mkdirSync(dirname(profileFile()), { recursive: true })
    writeFileSync(profileFile(), text, { mode: 0o600 })
    const ended = await run(ZONES, ['zones'])
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/^The profile in .* cannot be read: it is damaged/)
  })

  test.each(['../x', '', 'a/b', '.hidden', 'x'.repeat(65)])(
    'has a name that is safe: not %j',
    async (name) => {
      expect((await run(ZONES, ['zones', `--profile=${name}`])).exitCode).toBe(64)
    },
  )

  test('that has ended says how to sign in again', async () => {
    await login(['--profile', 'work'])
    const refused = { 'GET /api/me': problem(401, 'unauthenticated') }
    const ended = await run(refused, ['whoami', '--profile', 'work'])
    expect(ended).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `Your session at ${server.url} has ended. Sign in again: homing login --profile work\n`,
    })
  })
})

describe('whoami', () => {
  test('account, plan, server, profile and what says so', async () => {
    await login()
    const { stdout } = await run(ME, ['whoami'])
    expect(
      Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      ),
    ).toEqual({
      account: 'ada',
      'e-mail': 'ada@example.net',
      plan: 'pro',
      names: '3 of 100',
      server: server.url,
      profile: 'default',
      'signed in by': `session from ${profileFile()}`,
    })
  })

  test('by a key: that it is valid', async () => {
    const env = { HOMING_API_KEY: 'ak_env', HOMING_URL: server.url }
    const { stdout, exitCode } = await run(ZONES, ['whoami', '--json'], env)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      server: server.url,
      credential: 'key',
      source: 'HOMING_API_KEY',
      username: null,
      plan: null,
    })
    const wrong = { 'GET /api/zones/available': problem(401, 'unauthenticated') }
    expect(await run(wrong, ['whoami'], env)).toMatchObject({
      exitCode: 4,
      stderr: `The key in HOMING_API_KEY is not valid at ${server.url}.\n`,
    })
  })

  test('nobody', async () => {
    expect(await run({}, ['whoami'])).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'Not signed in. Sign in: homing login\n',
    })
  })
})

describe('logout', () => {
  test('ends the session on the server and forgets it', async () => {
    await login()
    expect(await run(LOGOUT, ['logout'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Signed out of ${server.url}.\nNext: homing login\n`,
    })
    expect(server.asked.at(-1)).toMatchObject({
      request: 'POST /api/logout',
      authorization: 'Bearer the-session',
    })
    expect(readdirSync(dirname(profileFile()))).toEqual([])
    expect((await run(ME, ['whoami'])).exitCode).toBe(4)
  })

  test('of a session that has ended', async () => {
    await login()
    const ended = await run({ 'POST /api/logout': problem(401, 'unauthenticated') }, ['logout'])
    expect(ended.exitCode).toBe(0)
  })

  test('where the server cannot be told: forgotten here, and said so', async () => {
    await login()
    server.close()
    const ended = await run({}, ['logout'])
    expect(ended.exitCode).toBe(7)
    expect(ended.stderr).toMatch(/^Signed out here, but .* could not be told/)
    expect(readdirSync(dirname(profileFile()))).toEqual([])
  })

  test('of nobody', async () => {
    const { exitCode, stdout } = await run({}, ['logout', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      server: null,
      was_signed_in: false,
      session_ended: false,
    })
    expect(requests()).toEqual([])
  })

  test('of a key: it lives on', async () => {
    const replies = { 'GET /api/me': problem(403, 'forbidden'), ...ZONES }
    await run(replies, ['login', '--with-token', '--server', server.url], { input: 'ak_key' })
    const { stderr } = await run(LOGOUT, ['logout'])
    expect(stderr).toContain('it is still valid at')
    expect(requests()).not.toContain('POST /api/logout')
  })
})
