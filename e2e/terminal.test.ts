/**
 * The journey of a domain in the terminal: sign in → add → update → DNS answers →
 * limits of the plan → a token for the router → remove → sign out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import { atTerminal, type Typed } from '../test/pseudo-terminal.ts'
import { type Account, registerAccount, signInAdministrator } from './support/accounts.ts'
import { addressesOf } from './support/dns.ts'
import { eventually, ROOT, temporaryDataDir } from './support/stack.ts'

const folder = temporaryDataDir()
const USERNAME = 'ada-types'
const NAME = `${USERNAME}.homing.test`
const HOMING = join(ROOT, 'node_modules/.bin/homing')
const stack = inject('sharedService')
let ada: Account

beforeAll(async () => {
  ada = await registerAccount(stack, USERNAME)
})
afterAll(() => folder.remove())

/** The documented `--json` output of each command, on which scripts rely. */
const PROMISED = new Map(
  (
    JSON.parse(readFileSync(join(ROOT, 'cli/command-snapshot.json'), 'utf8')) as {
      command: string
      json: string[]
    }[]
  ).map(({ command, json }) => [command, json]),
)

/** A user's shell, with the machine's own `node`. */
const shell = (env: Record<string, string> = {}) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: folder.path,
  XDG_CONFIG_HOME: join(folder.path, 'config'),
  ...env,
})

async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: shell(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (printed[stream] += text))
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, ...printed }
}

const homing = (...args: string[]) => run(HOMING, args)
const typed = (args: string[], typing: Typed[]) => atTerminal([HOMING, ...args], typing, shell())

/** Fields of `domains` that only deleted domains have. */
const OF_DELETED = [
  'has_wildcard',
  'has_update_token',
  'records',
  'has_web_forward',
  'has_monitor',
  'deleted_at',
  'restorable_until',
]

/** The JSON output of a command, with exactly the documented fields. */
async function json<T>(command: string, ...args: string[]): Promise<T> {
  const { stdout, stderr, exitCode } = await homing(...command.split(' '), ...args, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const printed = JSON.parse(stdout) as T
  for (const item of [printed].flat() as object[]) {
    const promised = PROMISED.get(command)?.filter(
      (field) => command !== 'domains' || !OF_DELETED.includes(field),
    )
    expect(Object.keys(item)).toEqual(promised)
  }
  return printed
}

const resolve = (...args: string[]) =>
  homing('resolve', NAME, '--nameserver', `127.0.0.1:${stack.dnsPort}`, ...args)

/** Waits until DNS has the address, and then asks for it as the user does. */
async function resolves(address: string) {
  await eventually(
    () => addressesOf(stack.dnsPort, NAME, 'A'),
    ([shown]) => shown === address,
  )
  expect((await resolve('--expect', address)).exitCode).toBe(0)
}

describe('signing in', needs('script'), () => {
  test('fails with a wrong password', async () => {
    const { exitCode, shown } = await typed(
      ['login', '--server', stack.url],
      [
        ['Username or email address', `${USERNAME}\r`],
        ['Password', 'not the password\r'],
      ],
    )
    expect(exitCode).toBe(4)
    expect(shown).toContain('Invalid username/email or password')
    expect((await homing('whoami')).exitCode).toBe(4)
  })

  test('prompts, does not show the password, and keeps the session', async () => {
    const { exitCode, shown } = await typed(
      ['login', '--server', stack.url],
      [
        ['Username or email address', `${USERNAME}\r`],
        ['Password', `${ada.password}\r`],
      ],
    )
    expect(exitCode).toBe(0)
    expect(shown).toContain(`as ${USERNAME}, plan free.`)
    expect(shown).not.toContain(ada.password)
    expect(await json('whoami')).toMatchObject({
      server: stack.url,
      username: USERNAME,
      plan: 'free',
      domain_count: 0,
      domain_limit: 5,
      credential: 'session',
    })
  })
})

describe('a domain', needs('script'), () => {
  test('does not exist yet', async () => {
    expect(await json('domains')).toEqual([])
    expect((await homing('domains')).stderr).toMatch(/^You have no domains\./)
    expect(await json('zones')).toEqual([{ zone: 'homing.test' }])
  })

  test('is added by its first label, through npx', async () => {
    const added = await run('npx', ['homing', 'domains', 'add', 'ada-types', '--ip', '203.0.113.1'])
    expect(added).toMatchObject({ exitCode: 0, stdout: `${NAME}\t203.0.113.1\n` })
    await resolves('203.0.113.1')
    expect((await homing('domains', 'add', NAME)).exitCode).toBe(6)
    expect((await homing('domains', 'add', 'www')).exitCode).toBe(8)
  })

  test('is updated with an address', async () => {
    const updated = await json('update', 'ada-types', '--ip', '203.0.113.7')
    expect(updated).toEqual({ name: NAME, changed: true, addresses: ['203.0.113.7'] })
    await resolves('203.0.113.7')
    const again = await json('update', NAME, '--ip', '203.0.113.7')
    expect(again).toMatchObject({ changed: false })
  })

  test('is updated with the address that the service sees', async () => {
    expect(await json('update', 'ada-types')).toMatchObject({ addresses: ['127.0.0.1'] })
    await resolves('127.0.0.1')
  })

  test('gets both families, unless another client changed it', async () => {
    const { version } = await json<{ version: number }>('domains show', NAME)
    const change = ['--ip', '203.0.113.9', '--ip', '2001:db8::9', '--if-version', `${version}`]
    expect(await json('domains update', NAME, ...change)).toMatchObject({
      record_ipv4: '203.0.113.9',
      record_ipv6: '2001:db8::9',
    })
    await resolves('203.0.113.9')
    const late = ['--ip', '203.0.113.10', '--if-version', `${version}`]
    expect((await homing('domains', 'update', NAME, ...late)).exitCode).toBe(6)
    expect(await json('domains')).toMatchObject([{ fqdn: NAME, record_ipv4: '203.0.113.9' }])
  })

  test('that does not exist is not found', async () => {
    const { exitCode, stderr } = await homing('domains', 'show', 'nobody-has-it')
    expect(exitCode).toBe(5)
    expect(stderr).toMatch(/^You have no domain nobody-has-it\.homing\.test\./)
  })
})

describe('the router’s token', needs('script'), () => {
  const byToken = (token: string, ip: string) =>
    run(HOMING, ['update', NAME, '--ip', ip, '--server', stack.url], { HOMING_API_KEY: token })
  let token = ''

  test('is created once, and updates the domain', async () => {
    token = (await json<{ token: string }>('tokens create', NAME)).token
    expect(await byToken(token, '203.0.113.20')).toMatchObject({
      exitCode: 0,
      stdout: `${NAME}\t203.0.113.20\n`,
    })
    await resolves('203.0.113.20')
    const passwordFile = join(folder.path, 'token')
    writeFileSync(passwordFile, token, { mode: 0o600 })
    const account = ['--username', 'router', '--password-file', passwordFile]
    const updated = await homing('update', NAME, '--ip', '203.0.113.21', ...account)
    rmSync(passwordFile)
    expect(updated.exitCode).toBe(0)
    expect(await json('tokens show', NAME)).toMatchObject({ prefix: token.slice(0, 10) })
  })

  test('is replaced only with --replace, and the old one is refused', async () => {
    expect((await homing('tokens', 'create', NAME)).exitCode).toBe(6)
    const { token: newer } = await json<{ token: string }>('tokens create', NAME, '--replace')
    expect((await byToken(token, '203.0.113.22')).exitCode).toBe(4)
    expect((await byToken(newer, '203.0.113.22')).exitCode).toBe(0)
    expect(await json('tokens remove', NAME, '--yes')).toEqual({ fqdn: NAME, removed: true })
    expect((await byToken(newer, '203.0.113.23')).exitCode).toBe(4)
    expect((await homing('tokens', 'show', NAME)).exitCode).toBe(5)
  })
})

describe('the plan', needs('script'), () => {
  test('free has no wildcards and no keys', async () => {
    for (const command of [['domains', 'wildcard', NAME], ['keys'], ['keys', 'create', 'x']]) {
      const { exitCode, stderr } = await homing(...command)
      expect({ command, exitCode }).toEqual({ command, exitCode: 3 })
      expect(stderr).toMatch(/^[^\n]*plan[^\n]*\n$/)
    }
  })

  test('a larger plan has both', async () => {
    const { api } = await signInAdministrator(stack)
    const { data: me } = await ada.api.GET('/api/me')
    await api.PUT('/api/admin/users/{id}', {
      params: { path: { id: me?.id ?? '' } },
      body: { account_type: 'pro' },
    })
    expect(await json('domains wildcard', NAME)).toEqual({
      fqdn: `*.${NAME}`,
      wildcard_enabled: true,
    })
    expect(await json('domains wildcard', NAME, '--remove', '-y')).toMatchObject({
      wildcard_enabled: false,
    })
    const { key, id } = await json<{ key: string; id: string }>('keys create', 'pipeline')
    const withKey = () =>
      run(HOMING, ['domains', '--json=fqdn', '--server', stack.url], { HOMING_API_KEY: key })
    expect(JSON.parse((await withKey()).stdout)).toEqual([{ fqdn: NAME }])
    expect(await json('keys')).toMatchObject([{ id, name: 'pipeline' }])
    expect(await json('keys remove', 'pipeline', '--yes')).toEqual([
      { id, name: 'pipeline', removed: true },
    ])
    expect((await withKey()).exitCode).toBe(4)
  })
})

describe('the end', needs('script'), () => {
  test('a domain is removed after confirmation, and from DNS', async () => {
    expect((await homing('domains', 'remove', NAME)).exitCode).toBe(64)
    const { exitCode, shown } = await typed(
      ['domains', 'remove', 'ada-types'],
      [[`Remove ${NAME}?`, 'y\r']],
    )
    expect(exitCode).toBe(0)
    expect(shown).toContain('You can restore it for 30 days')
    await eventually(
      () => addressesOf(stack.dnsPort, NAME, 'A'),
      ({ length }) => length === 0,
    )
    expect((await resolve()).exitCode).toBe(5)
  })

  test('the session ends here and on the server', async () => {
    const file = join(folder.path, 'config/homing/profiles/default.json')
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
    expect(await json('logout')).toMatchObject({ was_signed_in: true, session_ended: true })
    const { exitCode, stderr } = await homing('whoami')
    expect(exitCode).toBe(4)
    expect(stderr).toBe('Not signed in. Sign in: homing login\n')
    const replayed = await fetch(`${stack.url}/api/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(replayed.status).toBe(401)
  })

  test('an unavailable service', async () => {
    const [port = 0] = await freePorts(1)
    const url = `http://127.0.0.1:${port}`
    const passwordFile = join(folder.path, 'password')
    writeFileSync(passwordFile, ada.password, { mode: 0o600 })
    const account = ['--username', USERNAME, '--password-file', passwordFile]
    const { exitCode, stderr } = await homing('login', '--server', url, ...account)
    expect(exitCode).toBe(7)
    expect(stderr).toBe(`${url} cannot be reached: it refused the connection.\n`)
  })
})
