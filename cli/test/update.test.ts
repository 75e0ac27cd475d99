import { afterEach, describe, expect, test } from 'vitest'
import { domain, signedIn } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  homing,
  passwordFile,
  type Reply,
  temporaryFolder,
} from './support.ts'

let server: FakeServer
afterEach(() => server.close())

async function update(reply: Reply, args: string[] = [], env: Record<string, string> = {}) {
  server = await fakeServer({ 'GET /nic/update': reply })
  const account = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url, ...env }
  return homing(['update', 'home.example.net', ...args], account)
}
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test('a changed address, by key', async () => {
  const ended = await update({ body: 'good 192.0.2.9\n' }, ['--ip', '192.0.2.9'])
  expect(ended).toEqual({
    exitCode: 0,
    stdout: 'home.example.net\t192.0.2.9\n',
    stderr: 'Changed.\nNext: homing domains show home.example.net\n',
  })
  expect(server.asked).toEqual([
    {
      request: 'GET /nic/update?hostname=home.example.net&myip=192.0.2.9',
      authorization: basic('key:ak_key'),
      body: '',
    },
  ])
})

test('an unchanged address, by user name and password, detected by the server', async () => {
  const account = ['--username', 'ada', '--password-file', passwordFile('p:w')]
  const ended = await update({ body: 'nochg 192.0.2.9,2001:db8::9' }, ['--json', ...account])
  expect(JSON.parse(ended.stdout)).toEqual({
    name: 'home.example.net',
    changed: false,
    addresses: ['192.0.2.9', '2001:db8::9'],
  })
  expect(ended.stderr).toBe('')
  expect(server.asked[0]).toMatchObject({
    request: 'GET /nic/update?hostname=home.example.net',
    authorization: basic('ada:p:w'),
  })
})

test.each([
  ['badauth', 401, 4, /wrong/],
  ['nohost', 200, 5, /You have no domain home\.example\.net/],
  ['notfqdn', 200, 64, /not a full domain/],
  ['abuse', 200, 8, /blocked/],
  ['dnserr', 200, 8, /may not have that address/],
  ['911', 503, 7, /Try again in 10 s/],
  ['dnserr', 503, 7, /Nothing was stored/],
  ['<html>', 200, 1, /Check --server/],
])('%s (%i) ends with %i', async (body, status, exitCode, line) => {
  const ended = await update({ status, body, headers: { 'retry-after': '10' } })
  expect(ended.exitCode).toBe(exitCode)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toMatch(line)
})

describe('signed in with a session, which the update protocol does not accept', () => {
  const AT_HOME = '/api/domains/fqdn/home.example.net'
  const config = temporaryFolder()

  async function updateBySession(...args: string[]) {
    server = await fakeServer({
      'POST /api/login': { body: signedIn },
      'GET /api/zones/available': { body: [{ zone: 'example.net' }] },
      [`GET ${AT_HOME}`]: { body: domain() },
      [`PUT ${AT_HOME}`]: { body: domain({ record_ipv4: '192.0.2.9' }) },
      'GET /nic/checkip': { body: '192.0.2.9\n' },
      'POST /api/logout': { status: 204 },
    })
    const env = { XDG_CONFIG_HOME: config }
    const login = ['login', '--username', 'ada', '--with-password-stdin', '--server', server.url]
    await homing(login, env, 'secret')
    return homing(['update', ...args], env)
  }
  const change = () => server.asked.find(({ request }) => request.startsWith('PUT'))

  test('an address that is given', async () => {
    expect(await updateBySession('home.example.net', '--ip', '192.0.2.9')).toEqual({
      exitCode: 0,
      stdout: 'home.example.net\t192.0.2.9\n',
      stderr: 'Changed.\nNext: homing domains show home.example.net\n',
    })
    expect(change()).toMatchObject({
      authorization: 'Bearer the-session',
      body: '{"record_ipv4":"192.0.2.9"}',
    })
  })

  test('the address that the service sees, by a first label', async () => {
    expect(await updateBySession('home', '--json')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(change()?.body).toBe('{"record_ipv4":"192.0.2.9"}')
  })
})
