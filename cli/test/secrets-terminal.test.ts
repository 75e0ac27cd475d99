/** Secrets "from standard input" at a terminal: a prompt asks for them, and neither shows them nor breaks later prompts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { WITH_DOMAIN } from './record-fixtures.ts'
import { LOGIN, LOGOUT, ME, useSignInWorld } from './sign-in-world.ts'
import { LAUNCHER, type Replies, shellEnvironment } from './support.ts'

const t = useSignInWorld()
beforeEach(async () => void (await t.login()))

const SECRET = 'hunter2-typed'
const REMAINING = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
const environment = () =>
  shellEnvironment({ XDG_CONFIG_HOME: t.config, HOMING_URL: t.server.url, HOMING_API_KEY: '' })
const at = (replies: Replies, args: string[], typing: Typed[]) => {
  Object.assign(t.server.replies, replies)
  return atTerminal([LAUNCHER, ...args], typing, environment())
}
const bodies = () => t.server.asked.map(({ body }) => body).join('\n')

describe('a secret from standard input at a terminal', needs('script'), () => {
  test.each<[string[], Typed[], Replies]>([
    [
      ['whoami', '--username', 'ada', '--password-file', '-'],
      [['Password', `${SECRET}\r`]],
      { ...LOGIN, ...LOGOUT, ...ME },
    ],
    [
      ['account', 'password', '--with-passwords-stdin'],
      [
        ['Your current password', 'the old\r'],
        ['New password', `${SECRET}\r`],
        ['once more', `${SECRET}\r`],
      ],
      {
        'POST /api/change-password': {
          body: { message: 'Changed.', working_credentials: REMAINING },
        },
      },
    ],
    [
      ['account', 'delete', '--with-password-stdin'],
      [
        ['Delete your account', 'y\r'],
        ['Your password', `${SECRET}\r`],
      ],
      {
        'POST /api/delete-account': {
          body: { message: 'In 14 days.', deletion_due_at: '2026-05-26T08:30:00.000Z' },
        },
      },
    ],
    [
      ['trust', 'exchange', '5'],
      [['Token', `${SECRET}\r`]],
      {
        'POST /api/trust-policies/5/exchange': {
          status: 201,
          body: { key: 'ak_new', expires_at: '2026-05-12T08:45:00.000Z', scope: {} },
        },
      },
    ],
  ])('%j asks for it', async (args, typing, replies) => {
    const { exitCode, shown } = await at(replies, args, typing)
    expect(shown).not.toContain('hunter2')
    expect(exitCode).toBe(0)
    expect(bodies()).toContain(SECRET)
  })

  test('is not read if prompts are off', async () => {
    const ended = await at({}, ['trust', 'exchange', '5', '--no-input'], [])
    expect([ended.exitCode, ended.shown]).toEqual([
      64,
      '"Token" needs an answer, and prompts are off: give it on standard input.\n',
    ])
  })
})

describe('a zone file from standard input at a terminal', needs('script'), () => {
  const plan = { applied: false, created: 0, changed: 0, deleted: 7, unchanged: 0 }
  const replies = {
    ...WITH_DOMAIN,
    'POST /api/domains/42/records/import': { body: { ...plan, problems: [], problem_count: 0 } },
  }

  test('needs --yes before records are deleted, because nothing can be asked', async () => {
    Object.assign(t.server.replies, replies)
    const args = ['records', 'import', 'home.example.net', '-', '--replace']
    const ready = ['sh', '-c', 'echo ready; exec "$@"', 'sh', LAUNCHER]
    const typing: Typed[] = [['ready', '@ TXT "one"\n\u0004']]
    const { exitCode, shown } = await atTerminal([...ready, ...args], typing, environment())
    expect(shown).toContain(
      'Standard input is the file, so nothing can be asked. Give --yes to delete 7 records of home.example.net',
    )
    expect(exitCode).toBe(64)
    expect(t.requests().filter((request) => request.includes('/import'))).toHaveLength(1)
  })
})
