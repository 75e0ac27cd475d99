/** The commands as an operator runs them: exit code, stdout and stderr. */
import { expect, test } from 'vitest'
import { makeUser } from '../test/support/feed-world.ts'
import { useOperator } from '../test/support/operator.ts'
import { query } from '../src/database/sql.ts'

const t = useOperator()

function run(script: string, args: string[], environment?: NodeJS.ProcessEnv) {
  const { stderr, ...ran } = t.run(script, args, environment)
  return { ...ran, stderr: stderr.trimEnd().split('\n') }
}

test.each(['zone-import', 'zone-export'])(
  '%s without its arguments says how to call it',
  (script) => {
    expect(run(script, [])).toEqual({
      status: 64,
      stdout: '',
      stderr: [expect.stringMatching(/^usage: npm run zone:/)],
    })
  },
)

test('a file with errors: each error as file:line, exit 1', () => {
  const file = t.fileOf('bad.zone', 'a A 192.0.2\nb A 192.0.2.1\nb CNAME a\n')
  expect(run('zone-import', ['homing.test', file])).toEqual({
    status: 1,
    stdout: '',
    stderr: [
      expect.stringMatching(/bad\.zone:1: .*192\.0\.2/),
      expect.stringMatching(/bad\.zone:2: b\.homing\.test has a CNAME record \(line 3\)/),
      'the zone file has 2 errors; nothing was imported',
    ],
  })
})

test('the contents of a file cannot control the terminal', () => {
  const file = t.fileOf('steering.zone', 'a A \u001b[2J\u009b31m\n')
  expect(run('zone-import', ['homing.test', file]).stderr[0]).toContain('"\\027[2J\\155')
})

test('a zone is imported and exported again', () => {
  const file = t.fileOf('good.zone', 'a 60 A 192.0.2.1\n')
  expect(run('zone-import', ['homing.test', file])).toMatchObject({
    status: 0,
    stdout: 'homing.test: 1 record; 1 name changed\n',
  })
  const { status, stdout } = run('zone-export', ['homing.test'])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^homing\.test\. 3600 IN SOA /)
  expect(stdout).toContain('\na.homing.test. 60 IN A 192.0.2.1\n')
})

test('second-factors:reset removes the second factors and reports it', async () => {
  const id = await makeUser(t.world.knex, 'boss', 'admin')
  const codes = () => query(t.world.knex, 'select 1 from recovery_codes where user_id = ?', [id])
  await query(
    t.world.knex,
    `with flag as (update users set has_second_factor = true where id = ?),
          code as (insert into recovery_codes (user_id, code_digest, created_at) values (?, 'x', now()))
     insert into totp_secrets values (?, 'v1.sealed', now(), now(), 1)`,
    [id, id, id],
  )
  expect(run('reset-second-factors', ['Boss'])).toEqual({
    status: 0,
    stdout: 'the second factors of Boss were removed, and all its sessions have ended\n',
    stderr: [''],
  })
  expect(await codes()).toEqual([])
  expect(
    await query(
      t.world.knex,
      `select has_second_factor, credential_version from users where id = ?`,
      [id],
    ),
  ).toEqual([{ has_second_factor: false, credential_version: 2 }])
  const told = await query(
    t.world.knex,
    `select data->>'event' as event from pgboss.job where data->>'userId' = ?`,
    [id],
  )
  expect(told).toEqual([{ event: 'second-factors-reset' }])
  expect(run('reset-second-factors', ['boss']).stdout).toBe('boss has no second factor\n')
})

test('second-factors:reset reports an unknown account, and prints its usage', () => {
  expect(run('reset-second-factors', ['nobody'])).toEqual({
    status: 1,
    stdout: '',
    stderr: ['the account nobody does not exist'],
  })
  expect(run('reset-second-factors', [])).toEqual({
    status: 64,
    stdout: '',
    stderr: [expect.stringMatching(/^usage: npm run second-factors:reset/)],
  })
})

test('after-restore names each zone with its new serial; migrate finds nothing to do', () => {
  expect(run('after-restore', [])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^homing\.test: serial \d+\n$/),
  })
  expect(run('migrate', [])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^schema: up to date\n/),
  })
})

test.each([
  ['a file that is not there', 'zone-import', ['homing.test', '/nowhere/file'], {}, /ENOENT/],
  [
    'a zone that does not exist',
    'zone-export',
    ['nowhere.test'],
    {},
    /the zone nowhere\.test does not exist/,
  ],
  [
    'no database',
    'zone-export',
    ['homing.test'],
    { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' },
    /ECONNREFUSED/,
  ],
  ['nothing configured or running', 'migrate', [], { DATABASE_URL: '' }, /DATABASE_URL is not set/],
])('%s: one line, exit 1', (_, script, args, environment, message) => {
  expect(run(script, args, environment)).toEqual({
    status: 1,
    stdout: '',
    stderr: [expect.stringMatching(message)],
  })
})

test('an administrator’s password that is easy to guess: one line without it, exit 78', () => {
  const production = {
    NODE_ENV: 'production',
    NAMESERVERS: 'ns1.homing.test/192.0.2.53',
    FORWARD_ADDRESSES: '192.0.2.80',
  }
  const weak = { ZONES: 'homing.test', ADMIN_PASSWORD: 'password123' }
  expect(run('migrate', [], { ...production, ...weak })).toEqual({
    status: 78,
    stdout: '',
    stderr: [expect.stringMatching(/^ADMIN_PASSWORD is "\(11 characters, not shown\)"; it takes /)],
  })
})
