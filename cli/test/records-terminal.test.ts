/** Records and zones at a terminal: tables that fit its width, and questions. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { ACTIVE, ownZone, record, WITH_DOMAIN } from './record-fixtures.ts'
import { fakeServer, type FakeServer, LAUNCHER, type Replies, shellEnvironment } from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer(WITH_DOMAIN)
})
afterEach(() => server.close())

const at = async (replies: Replies, args: string[], typing: Typed[] = []) => {
  Object.assign(server.replies, replies)
  const env = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
  return atTerminal([LAUNCHER, ...args], typing, shellEnvironment(env))
}
const linesOf = (shown: string) =>
  shown
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
const NAME = 'home.example.net'
const KEY = `"v=DKIM1; p=${'MIGfMA0G'.repeat(30)}"`

describe('at a terminal of 80 columns', needs('script'), () => {
  test('a long value is shortened in the list, and whole in the details', async () => {
    const records = [
      record({ id: '80', owner: NAME, type: 'MX', values: ['10 mail.example.com.', '20 b.'] }),
      record({ owner: `key._domainkey.${NAME}`, values: [KEY] }),
    ]
    const list = { 'GET /api/domains/42/records': { body: records } }
    const lines = linesOf((await at(list, ['records', NAME])).shown)
    expect(lines[0]).toMatch(/^OWNER +TYPE +TTL +VALUE +ID$/)
    expect(lines[1]).toMatch(/^@ +MX +3600 +10 mail\.example\.com\. +80$/)
    expect(lines[2]?.trim()).toBe('20 b.')
    expect(lines[3]).toMatch(/^key\._domainkey +TXT +3600 +"v=DKIM1; p=\w+… +81$/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    const shown = await at({ 'GET /api/domains/42/records': { body: records.slice(1) } }, [
      'records',
      'show',
      NAME,
      '81',
    ])
    expect(shown.shown).toContain(KEY)
  })

  test('a long list has the same columns from its first to its last line', async () => {
    const records = Array.from({ length: 501 }, (_, n) =>
      record({ id: String(1000 + n), owner: `n${n}.${NAME}`, values: [`"${n}"`] }),
    )
    records[500] = record({ id: '2000', owner: `the-longest-owner.${NAME}` })
    const list = { 'GET /api/domains/42/records': { body: records } }
    const lines = linesOf((await at(list, ['records', NAME])).shown)
    expect(lines).toHaveLength(1 + 501 + 1)
    const [title = '', ...rows] = lines.slice(0, -1)
    const column = title.indexOf('ID')
    expect(new Set(rows.map((row) => row.search(/\d{4}$/)))).toEqual(new Set([column]))
  })

  test('the facts of a delegation are broken between words', async () => {
    const { shown } = await at({ 'GET /api/zones': { body: [ownZone()] } }, [
      'zones',
      'show',
      'example.com',
      '--verbose',
    ])
    const lines = linesOf(shown)
    expect(lines).toContain('FACT       STATE    FOUND')
    const at2 = lines.findIndex((line) => line.startsWith('names'))
    expect(lines[at2]).toMatch(/^names {6}✗ wrong {2}com names ns1\.example\.org\. Change/)
    expect(lines[at2 + 1]?.trim()).toMatch(/registrar\.$/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('the name of a zone must be typed before it is deleted', async () => {
    const replies = { 'GET /api/zones': { body: [ACTIVE] }, 'DELETE /api/zones/5': { status: 204 } }
    const typed = async (answer: string) =>
      at(
        replies,
        ['zones', 'remove', 'example.com'],
        [['Type example.com to confirm:', `${answer}\r`]],
      )
    const wrong = await typed('example.org')
    expect([wrong.exitCode, server.asked.length]).toEqual([1, 1])
    expect(wrong.shown).toContain('with 3 records and 1 domain.')
    expect(wrong.shown).toContain('Nothing was removed.')
    expect((await typed('example.com')).exitCode).toBe(0)
    expect(server.asked.at(-1)?.body).toBe('{"confirm":"example.com"}')
  })

  test('deleting a record asks first', async () => {
    const list = { 'GET /api/domains/42/records': { body: [record()] } }
    const question: Typed = [`Delete TXT _acme-challenge.${NAME} with 1 value?`, 'n\r']
    const ended = await at(list, ['records', 'remove', NAME, '81'], [question])
    expect([
      ended.exitCode,
      server.asked.some(({ request }) => request.startsWith('DELETE')),
    ]).toEqual([1, false])
  })
})
