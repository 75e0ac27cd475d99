/** What owners are told by mail of their keys and of the pipelines that they trust. */
import type { CreatedApiKey } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../sql.ts'

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
async function told() {
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
  expect(mail.text).toContain('http://localhost:8080/#settings')
  return mail
}

test('a new key: when, from where, with what, how it begins, and not the key', async () => {
  const { key, prefix } = await makeKey()
  const mail = await told()
  expect(mail.subject).toBe('Söhne: A new API key')
  expect(mail.text).toContain('An API key called “pipeline” was made')
  expect(mail.text).toContain(`It begins with: ${prefix}`)
  expect(mail.text + mail.html).not.toContain(key)
})

test('another secret of a key', async () => {
  const { id } = await makeKey()
  await query(world.knex, 'delete from pgboss.job')
  const { key, prefix } = (await post(`/api/api-keys/${id}/rotate`, {})).json<CreatedApiKey>()
  const mail = await told()
  expect(mail.subject).toBe('Söhne: An API key was given another secret')
  expect(mail.text).toContain(`It now begins with: ${prefix}`)
  expect(mail.text + mail.html).not.toContain(key)
})

test('a pipeline that is trusted', async () => {
  expect((await post('/api/trust-policies', policy)).status).toBe(201)
  const mail = await told()
  expect(mail.subject).toBe('Söhne: A pipeline is trusted')
  expect(mail.text).toContain('Whose they are: ada/home of https://ci.example')
})

test('what was refused is told of by nobody', async () => {
  expect((await post('/api/api-keys', { name: '' })).status).toBe(422)
  expect((await post('/api/api-keys/999999/rotate', {})).status).toBe(404)
  expect((await post('/api/trust-policies', { ...policy, name: '' })).status).toBe(422)
  await runJobs(world.services, mailer)
  expect(mailer.sent).toEqual([])
})

test('a name is text and nothing else', async () => {
  await makeKey('</p><a href="https://evil.example">')
  const mail = await told()
  expect(mail.html).toContain('&lt;/p&gt;&lt;a href=&quot;https://evil.example&quot;&gt;')
  expect(mail.html).not.toContain('href="https://evil.example"')
})

test('the job keeps nothing secret', async () => {
  const { key } = await makeKey()
  const jobs = await query<{ data: object }>(world.knex, 'select data from pgboss.job')
  expect(jobs).toHaveLength(1)
  expect(JSON.stringify(jobs)).not.toContain(key.slice(10))
})
