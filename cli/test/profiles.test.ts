/** The use of a profile, the choice of a profile, and `homing whoami`, which shows it. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import { LOGIN, LOGOUT, ME, useSignInWorld, ZONES } from './sign-in-world.ts'
import { fakeServer, passwordFile } from './support.ts'

const t = useSignInWorld()

describe('a profile', () => {
  test('signs the other commands in at its server', async () => {
    await t.login()
    expect(await t.run(ZONES, ['zones'])).toMatchObject({ exitCode: 0, stdout: 'example.net\n' })
    expect(t.server.asked.at(-1)?.authorization).toBe('Bearer the-session')
  })

  test('is one of several, by flag before environment', async () => {
    await t.login(['--profile', 'work'])
    expect((await t.run(ZONES, ['zones'])).exitCode).toBe(4)
    expect((await t.run(ZONES, ['zones'], { HOMING_PROFILE: 'work' })).exitCode).toBe(0)
    const other = await t.run(ZONES, ['zones', '--profile', 'home'], { HOMING_PROFILE: 'work' })
    expect(other).toMatchObject({
      exitCode: 4,
      stderr: 'Not signed in. Sign in: homing login --profile home\n',
    })
  })

  test('is sent only to the server that issued it', async () => {
    await t.login()
    const other = await fakeServer(ZONES)
    try {
      const ended = await t.run({}, ['zones', '--server', other.url])
      expect(ended.exitCode).toBe(4)
      expect(ended.stderr).toContain(`the profile default is for ${t.server.url}`)
      expect(other.asked).toEqual([])
    } finally {
      other.close()
    }
  })

  test('is overridden by a key of the environment, which a password overrides', async () => {
    await t.login()
    await t.run(ZONES, ['zones'], { HOMING_API_KEY: 'ak_env' })
    expect(t.server.asked.at(-1)?.authorization).toBe('Bearer ak_env')
    const account = ['--username', 'bob', '--password-file', passwordFile('secret')]
    await t.run({ ...ZONES, ...LOGIN, ...LOGOUT }, ['zones', ...account], {
      HOMING_API_KEY: 'ak_env',
    })
    expect(t.server.asked.find(({ body }) => body.includes('bob'))?.body).toContain('secret')
  })

  test('that a flag names overrides a key of the environment, which may be for another server', async () => {
    await t.login(['--profile', 'work'])
    const env = { HOMING_API_KEY: 'ak_env' }
    const note = 'HOMING_API_KEY is ignored, because --profile is given.\n'
    const ended = await t.run(ZONES, ['zones', '--profile', 'work'], env)
    expect(ended.stderr.startsWith(note)).toBe(true)
    expect(t.server.asked.at(-1)?.authorization).toBe('Bearer the-session')
    const sent = t.requests().length
    expect(await t.run(ZONES, ['zones', '--profile', 'other'], env)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `${note}Not signed in. Sign in: homing login --profile other\n`,
    })
    expect(t.requests()).toHaveLength(sent)
    await t.run(ZONES, ['zones'], { ...env, HOMING_PROFILE: 'work' })
    expect(t.server.asked.at(-1)?.authorization).toBe('Bearer ak_env')
  })

  test('that a flag names overrides the server of the environment, which a profile of the environment does not', async () => {
    await t.login(['--profile', 'work'])
    const env = { HOMING_URL: 'http://localhost:9' }
    const shown = await t.run(ME, ['whoami', '--json', '--profile', 'work'], env)
    expect(JSON.parse(shown.stdout)).toMatchObject({ server: t.server.url, username: 'ada' })
    expect(await t.run(LOGOUT, ['open', '--print', '--profile', 'work'], env)).toMatchObject({
      stdout: expect.stringMatching(new RegExp(`^${t.server.url}/`)),
    })
    const elsewhere = await t.run(ME, ['whoami'], { ...env, HOMING_PROFILE: 'work' })
    expect(elsewhere.stderr).toContain('Not signed in at http://localhost:9')
  })

  test.each([0o644, 0o640, 0o604])('of mode %o is refused with what to run', async (mode) => {
    await t.login()
    chmodSync(t.profileFile(), mode)
    const ended = await t.run(ZONES, ['zones'])
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' })
    expect(ended.stderr).toBe(
      `Others can read ${t.profileFile()}, which holds your credential. Make it private: chmod 600 '${t.profileFile()}'\n`,
    )
  })

  test.each(['', '{', '[]', '{"server": 1}'])(
    'that contains %j is reported as damaged',
    async (text) => {
      mkdirSync(dirname(t.profileFile()), { recursive: true })
      writeFileSync(t.profileFile(), text, { mode: 0o600 })
      const ended = await t.run(ZONES, ['zones'])
      expect(ended.exitCode).toBe(1)
      expect(ended.stderr).toMatch(/^The profile in .* cannot be read: it is damaged/)
    },
  )

  test.each(['../x', '', 'a/b', '.hidden', 'x'.repeat(65)])(
    'must have a safe name: not %j',
    async (name) => {
      expect((await t.run(ZONES, ['zones', `--profile=${name}`])).exitCode).toBe(64)
    },
  )

  test('that has ended says how to sign in again', async () => {
    await t.login(['--profile', 'work'])
    const refused = { 'GET /api/me': problem(401, 'unauthenticated') }
    const ended = await t.run(refused, ['whoami', '--profile', 'work'])
    expect(ended).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `Your session at ${t.server.url} has ended. Sign in again: homing login --profile work\n`,
    })
  })
})

describe('whoami', () => {
  test('account, plan, server, profile and the credential in use', async () => {
    await t.login()
    const { stdout } = await t.run(ME, ['whoami'])
    expect(
      Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      ),
    ).toEqual({
      account: 'ada',
      email: 'ada@example.net',
      plan: 'pro',
      domains: '3 of 100',
      server: t.server.url,
      profile: 'default',
      'signed in by': `session from ${t.profileFile()}`,
    })
  })

  test('by a key: that it is valid', async () => {
    const env = { HOMING_API_KEY: 'ak_env', HOMING_URL: t.server.url }
    const { stdout, exitCode } = await t.run(ZONES, ['whoami', '--json'], env)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      server: t.server.url,
      credential: 'key',
      source: 'HOMING_API_KEY',
      username: null,
      plan: null,
    })
    const wrong = { 'GET /api/zones/available': problem(401, 'unauthenticated') }
    expect(await t.run(wrong, ['whoami'], env)).toMatchObject({
      exitCode: 4,
      stderr: `The key in HOMING_API_KEY is not valid at ${t.server.url}.\n`,
    })
  })

  test('without a sign-in', async () => {
    expect(await t.run({}, ['whoami'])).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'Not signed in. Sign in: homing login\n',
    })
  })
})
