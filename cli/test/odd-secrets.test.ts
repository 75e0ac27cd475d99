/** Invalid secrets, sign-ins and folders: the error is one sentence, without the secret. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { me, problem, signedIn } from './fixtures.ts'
import { fakeServer, type FakeServer, homing, passwordFile, temporaryFolder } from './support.ts'

let server: FakeServer
let config: string
beforeEach(async () => {
  config = temporaryFolder()
  server = await fakeServer({
    'POST /api/login': { body: signedIn },
    'POST /api/logout': { status: 204 },
    'GET /api/me': { body: me },
  })
})
afterEach(() => server.close())

const run = (args: string[], env: Record<string, string> = {}, input = '') =>
  homing(args, { XDG_CONFIG_HOME: config, HOMING_URL: server.url, ...env }, input)
const requests = () => server.asked.map(({ request }) => request)
const byPassword = () => ['--username', 'ada', '--password-file', passwordFile('the pass word')]

describe('a key that no header can carry', () => {
  test.each(['hunter2\nsecond', 'hunter2 more', 'hünter2€'])('%j', async (key) => {
    const ended = [
      await run(['zones', '--debug'], { HOMING_API_KEY: key }),
      await run(['update', 'home.example.net'], { HOMING_API_KEY: key }),
      await run(['login', '--with-token', '--debug'], {}, key.replace('\n', ' ')),
    ]
    for (const { exitCode, stdout, stderr } of ended) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
      expect(stderr).toMatch(/^There is no key in (HOMING_API_KEY|standard input): /)
      expect(stderr).not.toMatch(/h.nter2/)
    }
    expect(server.asked).toEqual([])
  })
})

test('a server with a password and no scheme is not repeated', async () => {
  const ended = await run(['zones', '--server', 'ada:hunter2@dns.example.net'])
  expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
  expect(ended.stderr).toBe('--server takes a URL such as https://dns.example.net.\n')
})

test('an update token in place of a key', async () => {
  server.replies['GET /api/zones/available'] = problem(401, 'unauthenticated')
  const ended = await run(['zones'], { HOMING_API_KEY: 'ut_token' })
  expect(ended).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'HOMING_API_KEY holds an update token, which works only with homing update.\n',
  })
})

test('a user name and password where the service requires a CAPTCHA', async () => {
  const captcha = { provider: 'hcaptcha', site_key: '1x' }
  server.replies['POST /api/login'] = { body: { requires_captcha: true, captcha } }
  const ended = await run(['whoami', ...byPassword()])
  expect(ended).toMatchObject({ exitCode: 4, stdout: '' })
  expect(ended.stderr).toMatch(/needs a browser\. Sign in there, create an API key/)
  expect(requests()).toEqual(['POST /api/login'])
})

describe('a sign-in', () => {
  test('that cannot be stored ends on the server', async () => {
    writeFileSync(join(config, 'homing'), 'a file where the folder would be')
    const ended = await run(['login', ...byPassword()])
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      /^The sign-in cannot be stored: .* Set XDG_CONFIG_HOME to a folder/,
    )
    expect(requests()).toEqual(['POST /api/login', 'POST /api/logout'])
  })

  test('with the session that is already stored does not end it', async () => {
    await run(['login', '--with-token'], {}, 'the-session')
    expect((await run(['login', '--with-token'], {}, 'the-session')).exitCode).toBe(0)
    expect(requests()).toEqual(['GET /api/me', 'GET /api/me'])
    const kept = readFileSync(join(config, 'homing/profiles/default.json'), 'utf8')
    expect(kept).toContain('the-session')
  })

  test.each([{ server: 'nonsense' }, { server: 'http://x/path' }, { token: 'a\nb' }])(
    'that holds %j is damaged',
    async (change) => {
      const file = join(config, 'homing/profiles/default.json')
      mkdirSync(dirname(file), { recursive: true })
      const profile = { server: server.url, kind: 'session', token: 'x', ...change }
      writeFileSync(file, JSON.stringify(profile), { mode: 0o600 })
      const ended = await run(['whoami'], { HOMING_URL: '' })
      expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
      expect(ended.stderr).toMatch(/cannot be read: it is damaged/)
    },
  )
})

test('another service that answers JSON is not accepted for sign-in', async () => {
  server.replies['GET /api/me'] = { body: { hello: 'world' } }
  const ended = await run(['login', '--with-token'], {}, 'ak_key')
  expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ended.stderr).toBe('This is not a Homing API response. Check --server.\n')
})
