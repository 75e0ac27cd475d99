/** The account of a signed-in person: profile, password, sessions, export, deletion. */
import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal } from '../../test/pseudo-terminal.ts'
import { me, problem } from './fixtures.ts'
import { LOGIN, ME, useSignInWorld } from './sign-in-world.ts'
import { LAUNCHER, type Replies, shellEnvironment } from './support.ts'

const t = useSignInWorld()
beforeEach(async () => void (await t.login()))

const run = (replies: Replies, args: string[], input = '') => t.run(replies, args, { input })
const lastBody = () => JSON.parse(t.server.asked.at(-1)?.body ?? '') as unknown
const session = (id: string, isCurrent = false) => ({
  id,
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: '2026-05-12T09:00:00.000Z',
  expires_at: '2026-06-11T09:00:00.000Z',
  ip: '198.51.100.7',
  client: 'homing-cli/0.1.0',
  is_current: isCurrent,
})

test('show: one fact per line', async () => {
  const { stdout } = await run(ME, ['account', 'show'])
  expect(stdout).toContain('account\tada\nemail\tada@example.net\nfirst name\t\n')
  expect(JSON.parse((await run(ME, ['account', 'show', '--json=email'])).stdout)).toEqual({
    email: 'ada@example.net',
  })
})

test('profile: an empty value removes a name', async () => {
  const replies = { 'PUT /api/profile': { body: me } }
  await run(replies, ['account', 'profile', '--first-name', 'Ada', '--last-name', ''])
  expect(lastBody()).toEqual({ given_name: 'Ada', surname: null })
  expect((await run(replies, ['account', 'profile'])).exitCode).toBe(64)
})

describe('notices', () => {
  const notice = {
    id: 'keys-expiring-1778574600000',
    kind: 'keys-expiring',
    severity: 'warning',
    title: 'The API key “backup” expires soon',
    text: 'Change its expiry.',
    action: { label: 'View API Keys', url: '/#settings/api-keys' },
    dismissable: true,
    created_at: '2026-05-12T08:30:00.000Z',
  }

  test('are one on a line', async () => {
    const { stdout } = await run({ 'GET /api/me/notices': { body: [notice] } }, [
      'account',
      'notices',
    ])
    expect(stdout).toBe(
      'keys-expiring-1778574600000\twarning\tThe API key “backup” expires soon\tChange its expiry.\t/#settings/api-keys\ttrue\t2026-05-12T08:30:00.000Z\n',
    )
  })

  test('are dismissed by their id, and the others are listed', async () => {
    const replies = {
      [`POST /api/me/notices/${notice.id}/dismiss`]: { status: 204 },
      'GET /api/me/notices': { body: [] },
    }
    expect(await run(replies, ['account', 'notices', '--dismiss', notice.id])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'There is nothing that concerns your account now.\n',
    })
  })

  test('that the account does not have, or that must be settled, are refused', async () => {
    const url = `POST /api/me/notices/${notice.id}/dismiss`
    const args = ['account', 'notices', '--dismiss', notice.id]
    expect((await run({ [url]: problem(404, 'not-found') }, args)).exitCode).toBe(5)
    expect((await run({ [url]: problem(409, 'conflict') }, args)).exitCode).toBe(6)
  })
})

describe('password', () => {
  const working_credentials = { api_keys: 1, update_tokens: 2, trust_policies: 0, passkeys: 0 }
  const replies = {
    'POST /api/change-password': { body: { message: 'Changed.', working_credentials } },
  }

  test('is read from standard input, and the working credentials are printed', async () => {
    const args = ['account', 'password', '--with-passwords-stdin']
    expect(await run(replies, args, 'the old\nthe new\n')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        'Changed.\nStill working: 1 API key, 2 update tokens, 0 trusted pipelines, 0 passkeys.\n',
    })
    expect(lastBody()).toEqual({ current_password: 'the old', new_password: 'the new' })
    await run(replies, [...args, '--revoke-credentials'], 'the old\nthe new')
    expect(lastBody()).toMatchObject({ revoke_credentials: true })
    expect(await run(replies, args, 'the old\n')).toMatchObject({
      exitCode: 4,
      stderr: 'No passwords: the second line of standard input is empty.\n',
    })
  })

  test('is requested twice at a terminal', needs('script'), async () => {
    const asked = async (again: string) => {
      Object.assign(t.server.replies, replies)
      const env = shellEnvironment({ XDG_CONFIG_HOME: t.config })
      return atTerminal(
        [LAUNCHER, 'account', 'password'],
        [
          ['Your current password', 'the old\r'],
          ['New password', 'the new\r'],
          ['once more', `${again}\r`],
        ],
        env,
      )
    }
    const typo = await asked('the nwe')
    expect([typo.exitCode, typo.shown.includes('Passwords do not match.')]).toEqual([64, true])
    expect((await asked('the new')).exitCode).toBe(0)
    expect(lastBody()).toEqual({ current_password: 'the old', new_password: 'the new' })
  })
})

describe('deletion', () => {
  const deletion_due_at = '2026-05-26T08:30:00.000Z'
  const replies = {
    'POST /api/delete-account': { body: { message: 'In 14 days.', deletion_due_at } },
  }
  const args = ['account', 'delete', '--with-password-stdin']

  test('needs --yes in a script, and forgets the session, which has ended', async () => {
    expect((await run(replies, args, 'the pass word\n')).exitCode).toBe(64)
    expect(t.requests()).not.toContain('POST /api/delete-account')
    expect(await run(replies, [...args, '--yes'], 'the pass word\n')).toEqual({
      exitCode: 0,
      stdout: `${deletion_due_at}\n`,
      stderr: `In 14 days.\nKeep it: homing account undelete --server ${t.server.url}\n`,
    })
    expect(lastBody()).toEqual({ password: 'the pass word' })
    expect(existsSync(t.profileFile())).toBe(false)
  })

  test('with a wrong password keeps the session', async () => {
    const errors = [{ field: 'password', message: 'The password is wrong.' }]
    const wrong = { 'POST /api/delete-account': problem(422, 'validation-failed', { errors }) }
    expect((await run(wrong, [...args, '-y'], 'no\n')).exitCode).toBe(8)
    expect(existsSync(t.profileFile())).toBe(true)
  })

  test('is undone by signing in', async () => {
    const signIn = ['--server', t.server.url, '--username', 'ada', '--with-password-stdin']
    const ended = await run(LOGIN, ['account', 'undelete', ...signIn], 'the pass word\n')
    expect(ended.exitCode).toBe(0)
    expect(ended.stderr).toMatch(/If a deletion was due, it is cancelled\.\n$/)
    expect(t.requests()).toContain('POST /api/login')
  })
})

test('export: the archive, or parts of it; an incomplete one is an error', async () => {
  const archive = { version: 1, account: { id: '7' }, domains: [], is_complete: true }
  const replies = { 'GET /api/me/export': { body: archive } }
  expect(JSON.parse((await run(replies, ['account', 'export'])).stdout)).toEqual(archive)
  const part = await run(replies, ['account', 'export', '--json=domains'])
  expect(JSON.parse(part.stdout)).toEqual({ domains: [] })
  const half = { 'GET /api/me/export': { body: { version: 1, account: {} } } }
  expect(await run(half, ['account', 'export'])).toMatchObject({ exitCode: 1, stdout: '' })
})

describe('sessions', () => {
  const replies: Replies = {
    'GET /api/me/sessions': { body: [session('12', true), session('13'), session('14')] },
    'DELETE /api/me/sessions': { status: 204 },
    'DELETE /api/me/sessions/13': { status: 204 },
  }
  const ended = () => t.requests().filter((request) => request.startsWith('DELETE'))

  test('a line for each', async () => {
    const { stdout, stderr } = await run(replies, ['sessions'])
    expect(stdout.split('\n')[0]).toBe(
      '12\t198.51.100.7\thoming-cli/0.1.0\t2026-05-12T08:30:00.000Z\t2026-05-12T09:00:00.000Z\ttrue',
    )
    expect(stderr).toContain('homing sessions end --others')
  })

  test('one ends, or all others', async () => {
    expect(await run(replies, ['sessions', 'end', '13'])).toMatchObject({ stdout: '13\n' })
    expect(await run(replies, ['sessions', 'end', '--others'])).toMatchObject({
      stdout: '13\n14\n',
      stderr: 'Ended 2 sessions.\n',
    })
    expect(ended()).toEqual(['DELETE /api/me/sessions/13', 'DELETE /api/me/sessions'])
  })

  test.each([
    [['99'], 5],
    [['12'], 64],
    [[], 64],
    [['13', '--others'], 64],
  ])('end %j ends nothing', async (args, exitCode) => {
    expect((await run(replies, ['sessions', 'end', ...args])).exitCode).toBe(exitCode)
    expect(ended()).toEqual([])
  })
})

test('2fa status', async () => {
  const status = {
    is_on: true,
    methods: ['totp'],
    totp_since: '2026-05-12T08:30:00.000Z',
    passkeys: 0,
    recovery_codes_left: 2,
  }
  const shown = await run({ 'GET /api/me/second-factors': { body: status } }, ['2fa', 'status'])
  expect(shown.stdout).toContain('second factor\ton\n')
  expect(shown.stderr).toContain('Few recovery codes are left.')
})
