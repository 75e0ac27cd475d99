/** Mails to owners about their keys, the pipelines that they trust, and update tokens. */
import type { CreatedApiKey, CreatedUpdateToken } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../database/sql.ts'

const NOW = new Date('2030-06-15T12:34:56Z')
const mailer = new KeepingMailer()
let world: ApiWorld
let ada: Caller
let people = 0

beforeAll(async () => {
  const countryOf = async (ip: string) => (ip === '192.0.2.7' ? 'SE' : null)
  world = await openApiWorld({ productName: 'Söhne' }, { now: () => NOW, countryOf })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`)
  mailer.sent.length = 0
  await query(world.knex, 'delete from pgboss.job')
})

const post = (url: string, body: object, ip = '192.0.2.7') =>
  call(world.app, 'POST', url, {
    headers: { ...ada.headers, 'user-agent': 'curl/8' },
    body,
    ip,
  })
const makeKey = async (name = 'pipeline') => {
  const reply = await post('/api/api-keys', { name })
  expect(reply.text).toContain('"key"')
  return reply.json<CreatedApiKey>()
}
const policy = { name: 'deploy', issuer: 'https://ci.example', repository: 'ada/home' }

/** The one mail that is sent. */
async function told(page = '#settings/api-keys') {
  await runJobs(world.services, mailer)
  expect(mailer.sent).toHaveLength(1)
  const [mail] = mailer.sent
  if (mail === undefined) throw new Error('no mail')
  expect(mail.to).toBe(`${ada.username}@mail.test`)
  for (const line of ['Address: 192.0.2.7 (SE)', 'Client: curl/8']) {
    expect(mail.text).toContain(line)
    expect(mail.html).toContain(line)
  }
  expect(mail.text.replaceAll('\n', ' ')).toContain('2030-06-15 12:34 UTC')
  expect(mail.text).toContain(`http://localhost:8080/${page}`)
  return mail
}

test('a new key: the time, the address, the client and the prefix, and not the key', async () => {
  const { key, prefix } = await makeKey()
  const mail = await told()
  expect(mail.subject).toBe('Söhne: A new API key')
  expect(mail.text).toContain('An API key called “pipeline” was created')
  expect(mail.text).toContain(`It begins with: ${prefix}`)
  expect(mail.text + mail.html).not.toContain(key)
})

test('a new secret of a key', async () => {
  const { id } = await makeKey()
  await query(world.knex, 'delete from pgboss.job')
  const { key, prefix } = (await post(`/api/api-keys/${id}/rotate`, {})).json<CreatedApiKey>()
  const mail = await told()
  expect(mail.subject).toBe('Söhne: An API key has a new secret')
  expect(mail.text).toContain(`It now begins with: ${prefix}`)
  expect(mail.text + mail.html).not.toContain(key)
})

test('a new trust policy', async () => {
  expect((await post('/api/trust-policies', policy)).status).toBe(201)
  const mail = await told('#settings/pipelines')
  expect(mail.subject).toBe('Söhne: A new trust policy')
  expect(mail.text).toContain('Pipelines: ada/home of https://ci.example')
})

describe('an update token', () => {
  let fqdn: string
  let url: string
  beforeEach(async () => {
    fqdn = `home${people}.homing.test`
    const { id } = await insertDomain(world.knex, { userId: ada.id, fqdn, ipv4: '192.0.2.1' })
    url = `/api/domains/${id}/update-token`
  })

  test('that is new: the domain and the prefix, and not the token', async () => {
    const { token, prefix } = (await post(url, {})).json<CreatedUpdateToken>()
    const jobs = JSON.stringify(await query(world.knex, 'select data from pgboss.job'))
    expect(jobs).not.toContain(token.slice(10))
    const mail = await told('#dashboard')
    expect(mail.subject).toBe('Söhne: A new update token')
    expect(mail.text).toContain(`An update token for ${fqdn} was created`)
    expect(mail.text).toContain(`It begins with: ${prefix}`)
    expect(mail.text + mail.html).not.toContain(token)
  })

  test('that replaces another one', async () => {
    await post(url, {})
    await query(world.knex, 'delete from pgboss.job')
    const { prefix } = (await post(url, { replace: true })).json<CreatedUpdateToken>()
    const mail = await told('#dashboard')
    expect(mail.subject).toBe('Söhne: An update token was replaced')
    expect(mail.text).toContain(`The new one begins with: ${prefix}`)
  })

  test('that was refused sends no mail', async () => {
    await post(url, {})
    await query(world.knex, 'delete from pgboss.job')
    expect((await post(url, {})).status).toBe(409)
    expect((await post('/api/domains/999999/update-token', {})).status).toBe(404)
    await runJobs(world.services, mailer)
    expect(mailer.sent).toEqual([])
  })
})

test('a refused call sends no mail', async () => {
  expect((await post('/api/api-keys', { name: '' })).status).toBe(422)
  expect((await post('/api/api-keys/999999/rotate', {})).status).toBe(404)
  expect((await post('/api/trust-policies', { ...policy, name: '' })).status).toBe(422)
  await runJobs(world.services, mailer)
  expect(mailer.sent).toEqual([])
})

test('a name is plain text', async () => {
  await makeKey('</p><a href="https://evil.example">')
  const mail = await told()
  expect(mail.html).toContain('&lt;/p&gt;&lt;a href=&quot;https://evil.example&quot;&gt;')
  expect(mail.html).not.toContain('href="https://evil.example"')
})

test('the job contains no secrets', async () => {
  const { key } = await makeKey()
  const jobs = await query<{ data: object }>(world.knex, 'select data from pgboss.job')
  expect(jobs).toHaveLength(1)
  expect(JSON.stringify(jobs)).not.toContain(key.slice(10))
})
