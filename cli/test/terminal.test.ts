import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { domain, signedIn } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  LAUNCHER,
  shellEnvironment,
  temporaryFolder,
} from './support.ts'

const AT_HOME = 'GET /api/domains/fqdn/home.example.net'
const GONE = 'DELETE /api/domains/fqdn/home.example.net'
const IPV6 = '2001:db8:1234:5678:9abc:def0:1234:5678'

let server: FakeServer
let config: string
beforeEach(async () => {
  config = temporaryFolder()
  server = await fakeServer({
    'POST /api/login': { body: signedIn },
    [AT_HOME]: { body: domain() },
    [GONE]: { status: 204 },
  })
})
afterEach(() => server.close())

const at = (args: string[], typing: Typed[] = [], env: Record<string, string> = {}) =>
  atTerminal([LAUNCHER, ...args], typing, shellEnvironment({ XDG_CONFIG_HOME: config, ...env }))
const withKey = () => ({ HOMING_API_KEY: 'ak_key', HOMING_URL: server.url })
const requests = () => server.asked.map(({ request }) => request)

describe('login', needs('script'), () => {
  test('asks for server, user name and password, and shows nothing of the password', async () => {
    const { exitCode, shown } = await at(
      ['login'],
      [
        ['Server', `${server.url}\r`],
        ['Username or email address', 'ada\r'],
        ['Password', 'hunter2-typed\r'],
      ],
    )
    expect(shown).toContain('Signed in at')
    expect(exitCode).toBe(0)
    expect(shown).not.toContain('hunter2')
    expect(shown).not.toContain('*')
    expect(server.asked[0]?.body).toBe(
      JSON.stringify({ username_or_email: 'ada', password: 'hunter2-typed' }),
    )
    const kept = readFileSync(join(config, 'homing', 'profiles', 'default.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ token: 'the-session', server: server.url })
  })

  test('Ctrl-C at a prompt ends with 130, silently', async () => {
    const { exitCode, shown } = await at(
      ['login', '--server', server.url],
      [['Username', '\u0003']],
    )
    expect(exitCode).toBe(130)
    expect(shown).not.toMatch(/Error|at file/)
    expect(server.asked).toEqual([])
  })

  test.each([
    [['--no-input'], {}],
    [[], { CI: 'true' }],
  ])('asks nothing with %j %j', async (args, env) => {
    const ended = await at(['login', '--server', server.url, ...args], [], env)
    expect(ended.exitCode).toBe(64)
    expect(ended.shown).toContain('give --username')
  })
})

describe('removal', needs('script'), () => {
  test.each([
    ['y', 0, [AT_HOME, GONE]],
    ['n', 1, [AT_HOME]],
    ['', 1, [AT_HOME]],
  ])('with the answer "%s" ends with %i', async (answer, exitCode, asked) => {
    const ended = await at(
      ['domains', 'remove', 'home.example.net'],
      [['Remove home.example.net?', `${answer}\r`]],
      withKey(),
    )
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.shown).toContain(exitCode === 0 ? 'Removed 1 domain' : 'Nothing was removed.')
    expect(requests()).toEqual(asked)
  })

  test('with --yes asks nothing', async () => {
    const ended = await at(['domains', 'remove', 'home.example.net', '-y'], [], withKey())
    expect(ended.exitCode).toBe(0)
    expect(ended.shown).not.toContain('?')
  })
})

describe('the list at 80 columns', needs('script'), () => {
  const LONG = domain({ fqdn: 'a-rather-long-name.office.example.net', record_ipv6: IPV6 })
  const HOME = domain({ record_ipv6: IPV6 })
  const list = async (domains: object[]) => {
    server.replies['GET /api/domains'] = { body: domains }
    return (await at(['domains'], [], withKey())).shown.trimEnd().split('\n')
  }

  test('is a table: the addresses of a domain below one another', async () => {
    const lines = await list([HOME])
    expect(lines[0]).toMatch(/^DOMAIN +ADDRESS +UPDATED +STATE$/)
    expect(lines[1]).toMatch(/^home\.example\.net +192\.0\.2\.1 +\d+ d ago +served$/)
    expect(lines[2]?.trim()).toBe(IPV6)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('cuts no domain and no address where a table is too wide', async () => {
    const lines = await list([HOME, LONG])
    expect(lines.slice(4, 8)).toEqual([LONG.fqdn, '  192.0.2.1', `  ${IPV6}`, '  served'])
  })
})
