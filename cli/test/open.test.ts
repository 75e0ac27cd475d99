/** `homing open` and `homing register`: the URL, and a browser where a person can see one. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { useSignInWorld } from './sign-in-world.ts'
import { homing, LAUNCHER, shellEnvironment, temporaryFolder } from './support.ts'

const SERVER = 'https://dns.example.net'
const t = useSignInWorld()

test.each([
  [[], '/#dashboard'],
  [['keys'], '/#settings/api-keys'],
  [['docs'], '/api/docs'],
  [['pricing'], '/pricing'],
  [['invoices'], '/#settings/plan'],
  [['zones'], '/#zones'],
  [['vanity-ns'], '/#vanity-nameservers'],
  [['home.example.net'], '/#dashboard?q=home.example.net'],
  [['Home.Example.net.'], '/#dashboard?q=home.example.net'],
  [['büro.example.net'], '/#dashboard?q=xn--bro-hoa.example.net'],
])('open %j prints a URL of the server', async (args, path) => {
  expect(await homing(['open', ...args, '--server', SERVER])).toEqual({
    exitCode: 0,
    stdout: `${SERVER}${path}\n`,
    stderr: '',
  })
})

test('the server is that of the sign-in', async () => {
  await t.login()
  expect((await t.run({}, ['open', 'plan'])).stdout).toBe(`${t.server.url}/#settings/plan\n`)
})

test.each(['https://elsewhere.example/x', '//elsewhere.example', 'a.example/../x', 'setings'])(
  'open %s is refused: only pages of the service are opened',
  async (thing) => {
    const ended = await homing(['open', thing, '--server', SERVER])
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(ended.stderr.includes('Did you mean settings?')).toBe(thing === 'setings')
  },
)

test('register names the page, and what comes after', async () => {
  expect(await homing(['register', '--server', SERVER])).toEqual({
    exitCode: 0,
    stdout: `${SERVER}/register\n`,
    stderr: `When you have an account: homing login --server ${SERVER}\n`,
  })
})

describe('register at a terminal', needs('script'), () => {
  const register = (provider: string, typing: readonly Typed[]) => {
    t.server.replies['GET /api/captcha'] = { body: { provider } }
    t.server.replies['POST /api/register'] = {
      status: 201,
      body: { message: 'Please check your email.', username: 'ada', email: 'ada@example.net' },
    }
    const env = shellEnvironment({ XDG_CONFIG_HOME: t.config })
    return atTerminal([LAUNCHER, 'register', '--server', t.server.url], typing, env)
  }

  test('asks for everything', async () => {
    const { exitCode, shown } = await register('none', [
      ['Register here?', 'y\r'],
      ['Username', 'ada\r'],
      ['Email', 'ada@example.net\r'],
      ['Password', 'correct horse\r'],
      ['once more', 'correct horse\r'],
      ['Do you accept', 'y\r'],
    ])
    expect(exitCode).toBe(0)
    expect(shown).toContain('Please check your email.\nWhen you have an account: homing login')
    expect(JSON.parse(t.server.asked.at(-1)?.body ?? '')).toEqual({
      username: 'ada',
      email: 'ada@example.net',
      password: 'correct horse',
      terms: true,
    })
  })

  test('leads to the page if a browser must show the CAPTCHA', async () => {
    const { shown } = await register('turnstile', [])
    expect(shown).toContain(
      `This service requires a browser for registration.\n${t.server.url}/register\n`,
    )
  })
})

describe('at a terminal', needs('script'), () => {
  /** A folder with an `xdg-open` that records its arguments, and exits with a code. */
  function browser(exitCode: number) {
    const folder = temporaryFolder()
    const opened = join(folder, 'opened')
    const program = join(folder, 'xdg-open')
    writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > '${opened}'\nexit ${exitCode}\n`)
    chmodSync(program, 0o755)
    return { opened, path: `${folder}:/usr/bin:/bin` }
  }
  const open = (env: Record<string, string>, ...flags: string[]) =>
    atTerminal([LAUNCHER, 'open', '--server', SERVER, ...flags], [], shellEnvironment(env))

  test('the browser gets the URL as one argument', async () => {
    const { opened, path } = browser(0)
    const { shown } = await open({ PATH: path, DISPLAY: ':0' })
    expect(shown).toContain('Opened in your browser.')
    expect(readFileSync(opened, 'utf8')).toBe(`${SERVER}/#dashboard`)
  })

  test('a shell that wants the URL gets it, and no browser', async () => {
    const { opened, path } = browser(0)
    const script = `url=$('${LAUNCHER}' open --server ${SERVER}); echo "got $url"`
    const env = shellEnvironment({ PATH: path, DISPLAY: ':0' })
    const { shown } = await atTerminal(['/bin/sh', '-c', script], [], env)
    expect(shown).toBe(`got ${SERVER}/#dashboard\n`)
    expect(existsSync(opened)).toBe(false)
  })

  test.each([
    [3, { DISPLAY: ':0' }, [], true],
    [0, {}, [], true],
    [0, { DISPLAY: ':0' }, ['--print'], false],
    [0, { DISPLAY: ':0', CI: '1' }, [], false],
  ])('a browser that ends with %i, %j %j', async (exitCode, env, flags, isTold) => {
    const { opened, path } = browser(exitCode)
    const { shown } = await open({ PATH: path, ...env }, ...flags)
    expect(shown).toContain(`${SERVER}/#dashboard`)
    expect(shown.includes('No browser could be opened.')).toBe(isTold)
    expect(existsSync(opened)).toBe(exitCode !== 0)
  })
})
