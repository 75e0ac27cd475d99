/** Changes of a key: who may make them, what they require, and what they do at once. */
import type { ApiKey, ApiKeyChange, CreatedApiKey, KeyScope, NewApiKey } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query } from '../../database/sql.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const EVERYTHING: KeyScope = { domains: null, actions: null, record_types: null, networks: null }
const READING: KeyScope = { ...EVERYTHING, actions: ['read'] }
const t = useAccountWorld()

const made = async (fields: Partial<NewApiKey> = {}) => {
  const reply = await t.as(t.ada.headers, 'POST', '/api/api-keys/', { name: 'ci', ...fields })
  await query(t.world.knex, 'delete from pgboss.job')
  return reply.json<CreatedApiKey>()
}
const change = (id: string, body: ApiKeyChange, headers: Record<string, string> = {}) =>
  call(t.world.app, 'PUT', `/api/api-keys/${id}`, {
    headers: { ...t.ada.headers, ...headers },
    body,
  })
const changed = async (id: string, body: ApiKeyChange) => {
  const reply = await change(id, body)
  expect(reply.text).toContain(`"id":"${id}"`)
  return reply.json<ApiKey>()
}
const codeOf = (reply: Reply) => problemOf(reply).code
const days = (count: number) => new Date(t.clock.getTime() + count * DAY_MS).toISOString()
const pass = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
const use = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await call(t.world.app, 'GET', '/api/domains', { headers })).status
}
const mails = async () => {
  await runJobs(t.world.services, t.mailer)
  return t.mailer.sent.map(({ subject }) => subject)
}

describe('a change', () => {
  test('replaces the given fields, keeps the rest, and has a new version', async () => {
    const { key: _, ...before } = await made({ unused_days: 90, expires_at: days(400) })
    const scope = { ...READING, networks: ['203.0.113.7'] }
    const reply = await change(before.id, { name: ' laptop ', scope, expires_at: days(30) })
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"2"')
    expect(reply.json()).toEqual({
      ...before,
      name: 'laptop',
      scope: { ...scope, networks: ['203.0.113.7/32'] },
      expires_at: days(30),
      version: 2,
    })
  })

  test('takes effect at once', async () => {
    const { id, key } = await made()
    expect(await use(key)).toBe(200)
    await changed(id, { scope: { ...EVERYTHING, networks: ['198.51.100.0/24'] } })
    expect(await use(key)).toBe(403)
    await changed(id, { scope: EVERYTHING })
    expect(await use(key)).toBe(200)
  })

  test('applies to the former secret, too, and never extends it', async () => {
    const { id, key: former } = await made()
    await t.as(t.ada.headers, 'POST', `/api/api-keys/${id}/rotate`, { overlap_hours: 48 })
    await changed(id, { scope: { ...EVERYTHING, actions: ['delete'] } })
    expect(await use(former)).toBe(403)
    const { former_secret } = await changed(id, { expires_at: days(1) })
    expect(former_secret?.expires_at).toBe(days(1))
    const later = await changed(id, { scope: EVERYTHING, expires_at: null })
    expect(later.former_secret?.expires_at).toBe(days(1))
    expect(await use(former)).toBe(200)
  })

  test('without effect writes nothing', async () => {
    const { id, name, scope, expires_at, unused_days } = await made({ expires_at: days(3) })
    const same = { name, scope, expires_at, unused_days }
    expect(await changed(id, same)).toMatchObject({ version: 1 })
    // A form that changes something else also sends the expiry of an expired key.
    pass(4 * DAY_MS)
    t.ada = { ...t.ada, headers: await t.world.signIn(t.ada.id) }
    expect(await changed(id, { ...same, name: 'old' })).toMatchObject({
      version: 2,
      is_expired: true,
    })
  })

  test('of the days without use counts from now, and fewer days never extend the key', async () => {
    const { id, key } = await made({ unused_days: 10 })
    const end = async () => {
      const [row] = await query<{ end: Date | null }>(
        t.world.knex,
        'select unused_expires_at as end from api_keys where id = ?',
        [id],
      )
      return row?.end?.toISOString() ?? null
    }
    const tenth = days(10)
    pass(4 * MINUTE_MS)
    await changed(id, { unused_days: 9 })
    expect(await end()).toBe(days(9))
    await changed(id, { unused_days: 90 })
    expect(await end()).toBe(days(90))
    await changed(id, { unused_days: null })
    expect([await end(), await use(key)]).toEqual([null, 200])
    expect(tenth).not.toBe(days(10))
  })
})

describe('a change that lets the key do more', () => {
  test.each<[string, Partial<NewApiKey>, ApiKeyChange]>([
    ['no scope', { scope: READING }, { scope: EVERYTHING }],
    [
      'another domain',
      { scope: { domains: ['a.net'] } },
      { scope: { ...EVERYTHING, domains: ['b.net'] } },
    ],
    ['a later end', { unused_days: 3 }, { unused_days: 4 }],
    ['no end', { expires_at: '2999-01-01T00:00:00Z' }, { expires_at: null }],
  ])('requires a fresh proof and is notified by mail: %s', async (_, fields, wanted) => {
    const { id } = await made(fields)
    pass(16 * MINUTE_MS)
    expect(codeOf(await change(id, wanted))).toBe('step-up-required')
    expect(await mails()).toEqual([])
    t.ada = { ...t.ada, headers: await t.world.signIn(t.ada.id) }
    expect(await changed(id, wanted)).toMatchObject({ version: 2 })
    expect(await mails()).toEqual(['Homing: An API key can do more'])
    expect(t.mailer.sent[0]?.text).toContain('Your API key “ci” was changed')
  })

  test('a narrower one requires neither', async () => {
    const { id } = await made()
    pass(16 * MINUTE_MS)
    expect((await change(id, { scope: READING, expires_at: days(9) })).status).toBe(200)
    expect(await mails()).toEqual([])
  })

  test('revives an expired key', async () => {
    const { id, key } = await made({ expires_at: days(1) })
    pass(DAY_MS)
    t.ada = { ...t.ada, headers: await t.world.signIn(t.ada.id) }
    expect(await use(key)).toBe(401)
    expect(await changed(id, { expires_at: days(2) })).toMatchObject({ is_expired: false })
    expect(await use(key)).toBe(200)
  })
})

describe('refusals', () => {
  test('a version that is not the key’s', async () => {
    const { id } = await made()
    expect((await change(id, { name: 'one' }, { 'if-match': '"1"' })).status).toBe(200)
    const reply = await change(id, { name: 'two' }, { 'if-match': '"1"' })
    expect(problemOf(reply)).toMatchObject({
      status: 412,
      code: 'version-mismatch',
      detail: expect.stringContaining('version 2'),
    })
    expect((await change(id, { name: 'two' }, { 'if-match': '"2"' })).status).toBe(200)
  })

  test.each<[ApiKeyChange, string]>([
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ scope: { ...EVERYTHING, domains: ['a..b'] } }, 'scope.domains'],
    [{ scope: { ...EVERYTHING, networks: ['203.0.113.7/24'] } }, 'scope.networks'],
    [{ scope: { actions: ['read'] } as unknown as KeyScope }, 'scope.domains'],
    [{ unused_days: 0 }, 'unused_days'],
    [{ unused_days: 366 }, 'unused_days'],
  ])('%j', async (wanted, field) => {
    const { id } = await made()
    expect(problemOf(await change(id, wanted))).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test('a key of another account, and a plan without keys', async () => {
    const { id } = await made()
    const foreign = await t.as(t.bob.headers, 'PUT', `/api/api-keys/${id}`, { name: 'mine' })
    expect(codeOf(foreign)).toBe('not-found')
    await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
    expect(codeOf(await change(id, { name: 'mine' }))).toBe('plan-required')
  })
})
