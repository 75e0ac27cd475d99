import { afterEach, describe, expect, test } from 'vitest'
import { domain, signedIn } from './fixtures.ts'
import { fakeServer, type FakeServer, homing, passwordFile, type Reply } from './support.ts'

const DOMAIN = domain()
const SIGNED_IN = { 'POST /api/login': { body: signedIn }, 'POST /api/logout': { status: 204 } }
const CREATED = { 'POST /api/domains': { status: 201, body: DOMAIN } }

let server: FakeServer
afterEach(() => server.close())

async function add(
  replies: Record<string, Reply>,
  args: string[],
  env: Record<string, string> = {},
) {
  server = await fakeServer(replies)
  return homing(['domains', 'add', 'home.example.net', '--server', server.url, ...args], env)
}
const withKey = { HOMING_API_KEY: 'ak_key' }

test('with a key', async () => {
  const ended = await add(CREATED, ['--ip', '192.0.2.1'], withKey)
  expect(ended).toEqual({
    exitCode: 0,
    stdout: 'home.example.net\t192.0.2.1\n',
    stderr: 'Registered. DNS answers for it.\nNext: homing update home.example.net\n',
  })
  expect(server.asked).toEqual([
    {
      request: 'POST /api/domains',
      authorization: 'Bearer ak_key',
      body: JSON.stringify({ fqdn: 'home.example.net', record_ipv4: '192.0.2.1' }),
    },
  ])
})

test('with a name and password: a session that ends with the command', async () => {
  const file = passwordFile('the password')
  const account = ['--username', 'ada', '--password-file', file]
  const ended = await add({ ...SIGNED_IN, ...CREATED }, ['--json', ...account])
  expect(ended.exitCode).toBe(0)
  expect(JSON.parse(ended.stdout)).toEqual(DOMAIN)
  expect(ended.stderr).toBe('')
  expect(server.asked.map(({ request, authorization }) => [request, authorization])).toEqual([
    ['POST /api/login', undefined],
    ['POST /api/domains', 'Bearer the-session'],
    ['POST /api/logout', 'Bearer the-session'],
  ])
  expect(server.asked[0]?.body).toBe(
    JSON.stringify({ username_or_email: 'ada', password: 'the password' }),
  )
})

test('both families, either order', async () => {
  await add(CREATED, ['--ip', '2001:db8::1', '--ip', '192.0.2.1'], withKey)
  expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({
    record_ipv4: '192.0.2.1',
    record_ipv6: '2001:db8::1',
  })
})

describe('refusals of the API', () => {
  test.each([
    ['account-disabled', 403, 4],
    ['domain-limit', 403, 3],
    ['domain-locked', 403, 8],
    ['plan-required', 403, 3],
    ['name-taken', 409, 6],
    ['name-reserved', 409, 6],
    ['name-not-allowed', 422, 8],
    ['rate-limited', 429, 3],
    ['internal-error', 500, 1],
    ['unavailable', 503, 7],
  ])('%s (%i) ends with %i', async (code, status, exitCode) => {
    const problem = { status, code, detail: 'This is why.', requestId: 'r1' }
    const replies = { 'POST /api/domains': { status, body: problem } }
    const ended = await add(replies, [], withKey)
    // The request id is shown if the fault is the service's.
    const request = status >= 500 ? ' (request r1)' : ''
    expect(ended).toEqual({ exitCode, stdout: '', stderr: `This is why.${request}\n` })
  })

  test('fields are named; --json gives the problem document on stderr', async () => {
    const errors = [{ field: 'fqdn', message: 'too long' }]
    const problem = { status: 422, code: 'validation-failed', detail: 'Look again.', errors }
    const replies = { 'POST /api/domains': { status: 422, body: problem } }
    expect((await add(replies, [], withKey)).stderr).toBe('Look again. fqdn: too long\n')
    server.close()
    const ended = await add(replies, ['--json'], withKey)
    expect(ended.stdout).toBe('')
    expect(JSON.parse(ended.stderr)).toEqual(problem)
  })

  test('a wrong password', async () => {
    const problem = { status: 401, code: 'wrong-credentials', detail: 'Invalid password' }
    const account = ['--username', 'ada', '--password-file', passwordFile('x')]
    const ended = await add({ 'POST /api/login': { status: 401, body: problem } }, account)
    expect(ended).toEqual({ exitCode: 4, stdout: '', stderr: 'Invalid password\n' })
  })

  test('a server that is not Homing', async () => {
    const ended = await add({}, [], withKey)
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/answers 404, but not as a Homing API\. Check --server\.\n$/)
  })
})

describe('mistakes', () => {
  test.each([
    [['--ip', 'here'], 64, /--ip takes an IPv4 or IPv6 address; "here" is neither/],
    [['--ip', '192.0.2.1', '--ip', '192.0.2.2'], 64, /at most one address of each family/],
    [['--username', 'ada'], 64, /--password-file/],
    [['--nonsense'], 64, /There is no flag --nonsense/],
    [['--username', 'ada', '--password-file', '/nowhere'], 4, /^No password: ENOENT/],
    [['--username', 'ada', '--password-file', passwordFile('')], 4, /first line .* is empty/],
    [['--username', 'ada', '--password-file', passwordFile('x', 0o644)], 4, /Everybody can read/],
    [[], 4, /^Not signed in\. Sign in: homing login/],
  ])('%j', async (args, exitCode, line) => {
    const ended = await add({}, args)
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr.trimEnd()).not.toContain('\n')
    expect(server.asked).toEqual([])
  })

  test('a server that is down', async () => {
    server = await fakeServer({})
    server.close()
    const ended = await homing(['domains', 'add', 'a.test', '--server', server.url], withKey)
    expect(ended.exitCode).toBe(7)
    expect(ended.stderr).toMatch(/cannot be reached: it refused the connection/)
  })

  test('a server that is not a URL', async () => {
    server = await fakeServer({})
    const ended = await homing(['domains', 'add', 'a.test', '--server', 'localhost'], withKey)
    expect(ended.exitCode).toBe(64)
    expect(ended.stderr).toContain('--server takes a URL')
  })
})
