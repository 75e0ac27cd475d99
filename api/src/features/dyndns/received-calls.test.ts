/** The update calls for a name, as its owner sees them. */
import type { UpdateCall } from '@homing/openapi'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()
let token: string
beforeEach(async () => {
  token = await t.token()
})

/** The calls of a name, the newest first. */
async function calls(): Promise<UpdateCall[]> {
  await t.world.services.callLog.flush()
  const { headers } = t.ada
  const url = `/api/domains/${t.hostId}/update-calls`
  const answer = await t.world.app.inject({ url, headers })
  return answer.json<UpdateCall[]>()
}
const last = async () => (await calls())[0]

test('a successful call', async () => {
  const authorization = `Bearer ${token}`
  const headers = ['User-Agent: ddclient/3.10.0']
  await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization, headers })
  expect(await last()).toMatchObject({
    is_refused: false,
    source_ip: '127.0.0.1',
    client: 'ddclient/3.10.0',
    dialect: 'dyndns2',
    path: '/nic/update',
    said: `hostname=${t.host} myip=192.0.2.7`,
    answer: 'good 192.0.2.7',
    hint: null,
  })
})

describe('no secret is stored', () => {
  test.each([
    ['a token in the path', () => ({ path: `/u/${token}`, search: 'address=192.0.2.7' })],
    [
      'a token in the path, beside the name',
      () => ({ path: `/update/${t.host}/${token}/192.0.2.7`, search: '' }),
    ],
    ['a token in the query', () => ({ path: '/nic/update', search: `token=${token}` })],
    [
      'a token under a name that nobody knows',
      () => ({ path: '/nic/update', search: `token=${token}&secret=${token}&${token}=x` }),
    ],
    [
      'a token where the name belongs',
      () => ({ path: '/nic/update', search: `k=${token}&username=${token}&zone=${token}` }),
    ],
    [
      'a token behind an address, or in the name of a parameter',
      () => ({
        path: '/nic/update',
        search: `k=${token}&myip=192.0.2.7${token}&x${token.toLowerCase()}=1`,
      }),
    ],
    [
      'a password in a second URL',
      () => ({
        path: '/nic/update',
        search: `k=${token}&myip=192.0.2.7%20http://ada:hunter2@svc.test/?password=hunter2`,
      }),
    ],
  ])('%s', async (_, asked) => {
    const { path, search } = asked()
    await t.ask(search, { path, authorization: null })
    const call = await last()
    expect(JSON.stringify(call).toLowerCase()).not.toContain(token.toLowerCase())
    expect(JSON.stringify(call)).not.toContain('hunter2')
    expect(call?.path).not.toContain(token.slice(3, 12))
  })

  test('an account’s password in the URL is not tried', async () => {
    const secret = encodeURIComponent(PASSWORD)
    await t.ask(`hostname=${t.host}&username=${t.ada.username}&password=${secret}`, {
      authorization: null,
    })
    const call = await last()
    expect(call).toMatchObject({
      is_refused: true,
      answer: 'badauth',
      hint: 'account-password-in-url',
      said: `hostname=${t.host} username=… password=…`,
    })
  })
})

test('no secret is logged, for any result of the call', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const loud = await openApiWorld({}, { log })
  for (const url of [
    `/u/${token}`,
    `/u/${token}/x`,
    `/update/home/${token}/x`,
    `/nic/update?k=${token}`,
  ]) {
    await loud.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  }
  await query(loud.knex, 'alter table update_tokens rename to update_tokens_away')
  const another = await t.token(await t.make('another'))
  expect((await loud.app.inject(`/u/${another}`)).statusCode).toBe(503)
  await loud.end()
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain(token.slice(0, 20))
  expect(lines.join('')).not.toContain(another.slice(0, 20))
})

describe('hints', () => {
  test.each<[string, (host: string) => string, string | null, string]>([
    ['a template', (h) => `hostname=${h}&myip=<ipaddr>`, 'template-not-filled', 'dnserr'],
    ['a template of UniFi', (h) => `hostname=${h}&myip=%i`, 'template-not-filled', 'dnserr'],
    [
      'a template of the name',
      () => 'hostname=%h&myip=192.0.2.7',
      'template-not-filled',
      'notfqdn',
    ],
    [
      'an unfilled prefix',
      (h) => `hostname=${h}&myip=192.0.2.7&ip6lanprefix=<ip6lanprefix>`,
      'template-not-filled',
      'dnserr',
    ],
    [
      'the name behind the address',
      (h) => `hostname=${h}&myip=1.1.1.1${h}`,
      'name-appended-to-address',
      'dnserr',
    ],
    [
      'two URLs',
      (h) => `hostname=${h}&myip=192.0.2.7%20http://svc.test/`,
      'two-urls-in-one',
      'good 192.0.2.7',
    ],
    [
      'a network',
      (h) => `hostname=${h}&myip=192.0.2.7,2001:db8::/64`,
      'prefix-sent-as-address',
      'good 192.0.2.7',
    ],
    [
      'a related name that does not exist',
      (h) => `hostname=${h}&myip=192.0.2.7&myipv6:none.${h}=2001:db8::1`,
      'related-name-not-reached',
      'good 192.0.2.7',
    ],
    [
      'what others sell',
      (h) => `hostname=${h}&myip=192.0.2.7&mx=mail.example.net`,
      'paid-parameter-ignored',
      'good 192.0.2.7',
    ],
    [
      'what says nothing',
      (h) => `hostname=${h}&myip=192.0.2.7&mx=NOCHG&backmx=NO&wildcard=OFF&url=`,
      'account-password',
      'good 192.0.2.7',
    ],
  ])('%s', async (_, search, hint, answer) => {
    await t.ask(search(t.host))
    expect(await last()).toMatchObject({ hint, answer, is_refused: false })
  })

  test('a wildcard that the plan does not include', async () => {
    const bob = await t.world.person(`bob-${t.host.split('.')[0]}`, 'free')
    const id = await t.make('bobs', { who: bob })
    const asked = `hostname=${t.fqdn('bobs')}&myip=192.0.2.7&wildcard=ON`
    await t.ask(asked, { authorization: basic(bob.username) })
    Object.assign(t, { ada: bob, hostId: id })
    expect(await last()).toMatchObject({
      hint: 'wildcard-not-in-plan',
      hint_text: expect.stringContaining('plan'),
    })
  })

  test('a forwarded domain, whose address the client does not find in DNS', async () => {
    await query(t.world.knex, 'update domains set is_forwarded = true where id = ?', [t.hostId])
    const authorization = `Bearer ${token}`
    await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization })
    expect(await last()).toMatchObject({ hint: null, answer: 'good 192.0.2.7' })
    await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization })
    expect(await last()).toMatchObject({
      hint: 'forwarded',
      hint_text: expect.stringContaining('FRITZ!Box'),
      answer: 'nochg 192.0.2.7',
    })
  })

  test('two URLs in the request line', async () => {
    await t.ask('', { path: '/nic/update%20http:/svc.test/nic/update' })
    expect(await last()).toMatchObject({ hint: 'two-urls-in-one', answer: 'good 127.0.0.1' })
  })
})

test('other callers are not identified: a caller may have mistyped a name', async () => {
  const bob = await t.world.person(`bob-of-${t.host.split('.')[0]}`)
  const search = `hostname=${t.host}&username=bob@mail.example&user=bob&myip=192.0.2.7`
  const authorization = basic(bob.username)
  expect(await t.said(search, { authorization })).toBe('200 nohost\n')
  expect(await last()).toMatchObject({
    is_refused: true,
    said: `hostname=${t.host} username=… user=… myip=192.0.2.7`,
  })
})

test('a wrong password is listed separately from the owner’s calls', async () => {
  await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization: basic('x', 'wrong') })
  expect(await last()).toMatchObject({ is_refused: true, answer: 'badauth' })
})
