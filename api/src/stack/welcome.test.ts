import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { supervisorLoader } from '../config/supervisor.ts'
import { shellWord, tryOutCommands, type WelcomeOptions, welcomeLines } from './welcome.ts'

const root = mkdtempSync(join(tmpdir(), 'homing-welcome-'))
afterAll(() => rmSync(root, { recursive: true }))

function options(
  environment: Record<string, string> = {},
  isInstalled: (program: string) => boolean = () => true,
): WelcomeOptions {
  const config = supervisorLoader.load({ DATA_DIR: join(root, '.data'), ...environment })
  const administrator = {
    username: 'admin',
    outcome: 'created',
    newPassword: 'the-secret',
  } as const
  return { config, administrator, label: 'try-1', root, isInstalled }
}

test('curl and dig if they are installed', () => {
  expect(tryOutCommands(options())).toEqual([
    'npx homing domains add try-1.homing.test --ip 192.0.2.10 --server http://127.0.0.1:8080 --username admin --password-file .data/admin-password',
    'curl -fsS -u "admin:$(cat .data/admin-password)" "http://127.0.0.1:8080/nic/update?hostname=try-1.homing.test&myip=192.0.2.20"',
    'dig @127.0.0.1 -p 8053 try-1.homing.test A +short',
  ])
})

test('homing replaces missing programs', () => {
  const [, update, ask] = tryOutCommands(options({}, () => false))
  expect(update).toBe(
    'npx homing update try-1.homing.test --ip 192.0.2.20 --server http://127.0.0.1:8080 --username admin --password-file .data/admin-password',
  )
  expect(ask).toBe('npx homing resolve try-1.homing.test --type A --nameserver 127.0.0.1:8053')
})

test('the commands follow the configuration', () => {
  const [add, update, ask] = tryOutCommands(
    options({
      DATA_DIR: join(root, `it's data`),
      HOST: '::',
      PORT: '9000',
      DNS_HOST: '0.0.0.0,::',
      DNS_PORT: '5300',
      ZONES: 'b.test,c.test',
      ADDRESS_POLICY: 'public',
    }),
  )
  expect(add).toContain(`try-1.b.test --ip 9.9.9.9 --server http://[::1]:9000`)
  expect(add).toContain(`--password-file 'it'\\''s data/admin-password'`)
  expect(update).toContain('http://[::1]:9000/nic/update?hostname=try-1.b.test&myip=1.1.1.1')
  expect(ask).toBe('dig @127.0.0.1 -p 5300 try-1.b.test A +short')
})

test('no secret is printed, a folder elsewhere has its full path, `ready` ends it', () => {
  const lines = welcomeLines({ ...options(), root: '/elsewhere' })
  expect(lines.join('\n')).not.toContain('the-secret')
  expect(lines.join('\n')).toContain(`password in ${root}/.data/admin-password`)
  expect(lines.at(-1)).toBe('ready')
})

test.each([
  [{}, 'http://127.0.0.1:8080/dev/mailbox'],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://homing.example' }, 'http://127.0.0.1:8080/dev/mailbox'],
  [{ HOST: '::' }, 'http://[::1]:8080/dev/mailbox'],
  [{ HOST: '192.0.2.1' }, '.data/mail'],
])('with %j the text says where this machine stores mail', (environment, place) => {
  expect(welcomeLines(options(environment))).toContain(`Mail            ${place}`)
})

test('nothing is printed about mail that is sent', () => {
  const lines = welcomeLines(options({ SMTP_URL: 'smtp://127.0.0.1:25' }))
  expect(lines.join('\n')).not.toContain('Mail ')
})

test.each(['plain', 'a b', `it's`, '$(id)', '`id`', 'a\nb', '"', '\\'])(
  'the shell reads %j',
  (text) => {
    const shell = spawnSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })
    expect(shell.stdout).toBe(text)
  },
)
