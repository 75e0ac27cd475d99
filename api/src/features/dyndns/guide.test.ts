/** Tries every command, URL and parameter of the guide for routers, up to its table of devices, which has its own test. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const run = promisify(execFile)
const t = useUpdateWorld()
const [GUIDE = ''] = readFileSync(
  join(import.meta.dirname, '../../../../docs/guides/routers.md'),
  'utf8',
).split('## Devices')
const found = (pattern: RegExp) => [
  ...new Set(Array.from(GUIDE.matchAll(pattern), ([, text = '']) => text)),
]

let token: string
let nas: string
beforeEach(async () => {
  token = await t.token()
  nas = t.fqdn('nas')
  await t.add(nas, { ipv6: '2001:db8::5' })
  await query(t.world.knex, `update domains set record_ipv6 = '2001:db8::7' where id = ?`, [
    t.hostId,
  ])
})

/** The placeholders of the guide, and their values. */
const PLACEHOLDERS: readonly (readonly [RegExp, () => string])[] = [
  [/https:\/\//g, () => 'http://'],
  [/SERVICE/g, () => `127.0.0.1:${t.port}`],
  [/home\.example\.net|NAME/g, () => t.host],
  [/nas\.example\.net/g, () => nas],
  [/ut_…|TOKEN/g, () => token],
  [/ADDRESS/g, () => '198.51.100.7'],
]
const filledIn = (text: string) =>
  PLACEHOLDERS.reduce((so, [pattern, meant]) => so.replaceAll(pattern, meant), text)

const SUCCESS =
  /^(good|nochg|OK|addresses (updated|unchanged)|127\.0\.0\.1\n|<html>.* 127\.0\.0\.1<)/

/** The answer that curl gets at a URL, with the token as the password of any user name. */
async function heardAt(url: string): Promise<string> {
  const { stdout } = await run('curl', ['-sSg', '-u', `any:${token}`, filledIn(url)])
  return stdout
}

describe('commands', () => {
  const commands = found(/^(curl .*)$/gm)

  test.each(commands)('%s', async (command) => {
    const { stdout } = await run('sh', ['-c', filledIn(command)])
    expect(stdout).toMatch(SUCCESS)
  })

  test('are there', () => expect(commands).toHaveLength(1))
})

describe('URLs', () => {
  const urls = [
    ...found(/(https:\/\/SERVICE\/[^\s`'"]*)/g),
    ...found(/`(\/[a-z0-9][^\s`]*)`/g).map((path) => `SERVICE${path}`),
  ]

  test.each(urls)('%s', async (url) => {
    expect(await heardAt(url)).toMatch(SUCCESS)
  })

  test('are there', () => expect(urls.length).toBeGreaterThan(15))
})

describe('parameters', () => {
  const pairs = found(/`([a-z][a-z0-9]*(?::[a-z.]+)?=[^\s`]*)`/g)

  test.each(pairs)('%s', async (pair) => {
    expect(await heardAt(`SERVICE/nic/update?hostname=NAME&${pair}`)).toMatch(SUCCESS)
  })

  test('are there', () => expect(pairs.length).toBeGreaterThan(8))
})
