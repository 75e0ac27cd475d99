/** Completion as the scripts of the shells ask for it: the names of the account, and their cache. */
import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { domain, problem } from './fixtures.ts'
import { ownZone } from './record-fixtures.ts'
import { LOGOUT, useSignInWorld } from './sign-in-world.ts'
import { homing, type Replies, temporaryFolder } from './support.ts'

const DOMAINS = 'GET /api/domains'
const ZONES = 'GET /api/zones'
const NAMES: Replies = {
  [DOMAINS]: { body: [domain(), domain({ fqdn: '*.home.example.net' })] },
  [ZONES]: { body: [ownZone(), ownZone({ zone: 'lost.example', state: 'lost' })] },
}
const OLD_MS = 61_000
const DAY_MS = 86_400_000

const t = useSignInWorld()
let cache: string
beforeEach(() => {
  cache = temporaryFolder()
})

const folder = () => join(cache, 'homing', 'names')
const files = () => readdirSync(folder()).map((name) => join(folder(), name))
const onlyFile = () => files()[0] ?? ''
const kept = () => JSON.parse(readFileSync(onlyFile(), 'utf8')) as { askedAt: number }
const withCache = (env: Record<string, string> = {}) => ({ XDG_CACHE_HOME: cache, ...env })
/** What Tab offers after these words. */
const tab = async (words: string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = await t.run({}, ['__complete', ...words], withCache(env))
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout
}
/** What the process in the background does. */
const refresh = (replies: Replies = NAMES) =>
  t.run(replies, ['__refresh-names', '', ''], withCache())

/** Makes the cache older than it may be. */
function age(): void {
  writeFileSync(onlyFile(), JSON.stringify({ ...kept(), askedAt: Date.now() - OLD_MS }))
}

describe('the names of the account', () => {
  test('are read in the background by the first Tab, and kept for a minute, only for this user', async () => {
    await t.login()
    Object.assign(t.server.replies, NAMES)
    expect(await tab(['domains', 'show', ''])).toBe('')
    await expect.poll(() => tab(['domains', 'show', 'h'])).toBe('home.example.net\n')
    const asked = t.server.asked.slice(1)
    expect(asked.map(({ request }) => request).toSorted()).toEqual([
      'GET /api/domains?sort=["fqdn"%2C"ASC"]&range=[0%2C999]',
      ZONES,
    ])
    expect(asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer the-session',
      'Bearer the-session',
    ])
    expect(await tab(['records', 'show', ''])).toBe(
      'home.example.net\n*.home.example.net\nexample.com\n',
    )
    expect(t.server.asked).toHaveLength(3)
    expect([folder(), onlyFile()].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ])
    expect(`${onlyFile()} ${readFileSync(onlyFile(), 'utf8')}`).not.toContain('the-session')
  })

  test('that are older are offered at once, and are read again', async () => {
    await t.login()
    await refresh()
    age()
    t.server.replies[DOMAINS] = { body: [domain({ fqdn: 'new.example.net' })] }
    expect(await tab(['domains', 'show', 'h'])).toBe('home.example.net\n')
    await expect.poll(() => tab(['domains', 'show', ''])).toBe('new.example.net\n')
  })

  test('are those of before while the service does not answer, which is asked once a minute', async () => {
    await t.login()
    await refresh()
    age()
    t.server.close()
    expect(await tab(['domains', 'show', 'h'])).toBe('home.example.net\n')
    const { askedAt } = kept()
    expect(Date.now() - askedAt).toBeLessThan(OLD_MS)
    expect(await tab(['domains', 'show', 'h'])).toBe('home.example.net\n')
    // Only the start of a process changes the time.
    expect(kept().askedAt).toBe(askedAt)
  })

  test('are not those of another credential or server', async () => {
    await t.login()
    await refresh()
    const key = { HOMING_API_KEY: 'ak_one', HOMING_URL: t.server.url }
    await t.run(
      { [DOMAINS]: { body: [domain({ fqdn: 'key.example.net' })] } },
      ['__refresh-names', '', ''],
      withCache(key),
    )
    const names = (env: Record<string, string>, ...flags: string[]) =>
      tab(['domains', 'show', ...flags, ''], env)
    expect(await names(key)).toBe('key.example.net\n')
    expect(await names({ ...key, HOMING_API_KEY: 'ak_two' })).toBe('')
    expect(await names({ ...key, HOMING_URL: 'http://127.0.0.1:9' })).toBe('')
    expect(await names({}, '--profile', 'other')).toBe('')
    expect(await names({}, '--username', 'bob')).toBe('')
    expect(await names(key, '--profile', 'default')).toContain('home.example.net\n')
  })

  test('are not asked of a server that is only typed, with a key of the environment', async () => {
    const words = ['domains', 'show', '--server', t.server.url, '']
    expect(await tab(words, { HOMING_API_KEY: 'ak_one' })).toBe('')
    expect(() => files()).toThrow('ENOENT')
    await t.login()
    await refresh()
    expect(await tab(words)).toContain('home.example.net\n')
  })

  test('are not written by a process that ends after a sign-out', async () => {
    await t.login()
    await refresh({
      ...NAMES,
      [DOMAINS]: () => {
        rmSync(t.profileFile(), { force: true })
        return { body: [domain()] }
      },
    })
    expect(() => files()).toThrow('ENOENT')
  })

  test('are deleted by a sign-out and by another sign-in', async () => {
    await t.login()
    await refresh()
    await t.run(LOGOUT, ['logout'], withCache())
    expect(files()).toEqual([])
    await t.login()
    await refresh()
    await t.login([], withCache())
    expect(files()).toEqual([])
  })

  test('are empty after the service refused the credential', async () => {
    await t.login()
    await refresh()
    const refused = problem(401, 'unauthenticated')
    await refresh({ [DOMAINS]: refused, [ZONES]: refused })
    expect(await tab(['records', 'show', ''])).toBe('')
  })

  test('of a credential that nobody used for a day are deleted', async () => {
    await t.login()
    await refresh()
    const unused = join(folder(), 'work@0.json')
    writeFileSync(unused, '{}')
    utimesSync(unused, 0, (Date.now() - DAY_MS - 1_000) / 1_000)
    await refresh()
    expect(files()).toEqual([expect.stringContaining('/default@')])
  })

  test('are the domains alone where a key may not read own zones', async () => {
    await t.login()
    await refresh({ ...NAMES, [ZONES]: problem(403, 'forbidden') })
    expect(await tab(['records', 'show', 'h'])).toBe('home.example.net\n')
  })

  test('contain no control codes, whatever the server sends', async () => {
    await t.login()
    await refresh({ ...NAMES, [DOMAINS]: { body: [domain({ fqdn: 'x\u001B]0;y' }), domain()] } })
    expect(await tab(['domains', 'show', ''])).toBe('home.example.net\n')
  })
})

test.each([
  ['a profile that others can read', 0o644],
  ['a damaged profile', 0o600],
])('%s: Tab is silent, and completes the rest', async (_, mode) => {
  await t.login()
  if (mode === 0o600) writeFileSync(t.profileFile(), '{')
  chmodSync(t.profileFile(), mode)
  expect(await tab(['domains', 'show', ''])).toBe('')
  expect(await tab(['domains', 'sho'])).toBe('show\tShow the details of a domain\n')
  expect(await tab(['domains', '--profile', ''])).toBe('default\n')
})

test('a secret on the line is not an error', async () => {
  expect(await tab(['login', '--password', 'x', '--prof'])).toMatch(/^--profile\t/)
})

test('the command takes the shell from SHELL, and refuses others', async () => {
  const named = await homing(['completion', 'fish'])
  expect(named).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await homing(['completion'], { SHELL: '/usr/bin/fish' })).toEqual(named)
  expect(await homing(['completion'], { SHELL: '/bin/sh' })).toEqual({
    exitCode: 64,
    stdout: '',
    stderr:
      'There is no completion script for "sh". Give bash, zsh or fish, such as homing completion bash.\n',
  })
})
