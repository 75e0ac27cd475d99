/** `homing login`: what it stores and where, and that it accepts no secret on the command line. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problem, signedIn } from './fixtures.ts'
import { BY_PASSWORD, LOGIN, LOGOUT, useSignInWorld, ZONES } from './sign-in-world.ts'
import { homingProcess, passwordFile } from './support.ts'

const t = useSignInWorld()

describe('login', () => {
  test('stores the session for its owner only, and prints where', async () => {
    expect(await t.login()).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        `Signed in at ${t.server.url} as ada, plan pro.\n` +
        `Stored in ${t.profileFile()}\n` +
        'Next: homing domains\n',
    })
    expect(t.server.asked[0]?.body).toBe(
      JSON.stringify({ username_or_email: 'ada', password: 'the pass word' }),
    )
    expect(JSON.parse(readFileSync(t.profileFile(), 'utf8'))).toEqual({
      server: t.server.url,
      kind: 'session',
      token: 'the-session',
      username: 'ada',
    })
    expect(statSync(t.profileFile()).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(t.profileFile())).mode & 0o777).toBe(0o700)
    expect(readdirSync(dirname(t.profileFile()))).toEqual(['default.json'])
  })

  test('--json prints no secret', async () => {
    const { stdout } = await t.login(['--json', '--profile', 'work'])
    expect(JSON.parse(stdout)).toEqual({
      server: t.server.url,
      profile: 'work',
      credential: 'session',
      username: 'ada',
      plan: 'pro',
      kept_in: t.profileFile('work'),
    })
  })

  test('again: the former session ends', async () => {
    await t.login()
    Object.assign(t.server.replies, LOGOUT, {
      'POST /api/login': { body: { ...signedIn, token: 'new' } },
    })
    // A process, whose standard input is a pipe.
    await homingProcess([...BY_PASSWORD], { XDG_CONFIG_HOME: t.config }, 'the pass word')
    expect(t.server.asked.at(-1)).toMatchObject({
      request: 'POST /api/logout',
      authorization: 'Bearer the-session',
    })
    expect(readFileSync(t.profileFile(), 'utf8')).toContain('"new"')
  })

  test('with a password file', async () => {
    const file = passwordFile('from a file')
    const account = ['--username', 'ada', '--password-file', file]
    await t.run(LOGIN, ['login', '--server', t.server.url, ...account])
    expect(t.server.asked[0]?.body).toContain('from a file')
  })

  test('with an API key, which does not reveal its account', async () => {
    const args = ['login', '--with-token', '--server', t.server.url]
    const replies = { 'GET /api/me': problem(403, 'forbidden'), ...ZONES }
    const { exitCode, stderr } = await t.run(replies, args, { input: 'ak_key\n' })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('with an API key.')
    expect(JSON.parse(readFileSync(t.profileFile(), 'utf8'))).toEqual({
      server: t.server.url,
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
      'This is why. Open the link in the mail that you got when you registered.\n',
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
    const ended = await t.run(refused, [...BY_PASSWORD, '--server', t.server.url], { input: 'x' })
    expect(ended).toEqual({ exitCode, stdout: '', stderr })
    expect(readdirSync(t.config)).toEqual([])
  })

  test.each([
    [['login'], '', 64, /give --username\./],
    [['login', '--username', 'ada'], '', 64, /give --with-password-stdin\./],
    [['login', '--with-password-stdin'], 'x', 64, /--username NAME/],
    [BY_PASSWORD, '', 4, /^No password: the first line of standard input is empty/],
    [['login', '--with-token', '--username', 'ada'], 'x', 64, /--with-token/],
  ])('%j, without a terminal', async (args, input, exitCode, line) => {
    const ended = await t.run(LOGIN, args, { HOMING_URL: t.server.url, input })
    expect(ended).toMatchObject({ exitCode, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(t.server.asked).toEqual([])
  })
})

describe('secrets are not accepted on the command line, nor repeated', () => {
  const KEY = `ak_${'a1B2'.repeat(9)}`

  test.each([
    [['login', '--password', 'hunter2'], /^--password is not accepted: /],
    [['login', '--password=hunter2'], /^--password is not accepted: /],
    [['login', '--token=hunter2'], /^--token is not accepted: /],
    [['login', '--with-token=hunter2'], /^--with-token is not accepted: /],
    [['domains', '--api-key', 'hunter2'], /^--api-key is not accepted: /],
    [['domains', 'show', KEY], /^An argument looks like a key: /],
    [
      ['login', '--server', `https://ada:hunter2@dns.example.net`],
      /without a username and password/,
    ],
  ])('%j', async (args, line) => {
    const ended = await t.run({}, args)
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr).not.toMatch(/hunter2|a1B2/)
  })
})
