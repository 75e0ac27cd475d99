import type { Domain } from '@homing/openapi'
import { expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()

const made = async (label: string) =>
  t.made(t.ada, { fqdn: `${t.fresh(label)}.homing.test`, record_ip: '192.0.2.1' })

async function put({ id }: Domain, change: object, headers?: Record<string, string>) {
  const answer = await t.call(t.ada, 'PUT', `/api/domains/${id}`, change, headers)
  expect(answer).toMatchObject({ status: 200 })
  return JSON.parse(answer.body) as Domain
}

test('a paused domain and its wildcard are not served, store updates, and come back', async () => {
  const domain = await made('pause')
  const { fqdn } = domain
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  expect(await put(domain, { paused: true })).toMatchObject({
    paused: true,
    is_active: false,
    withheld_by: ['paused'],
  })
  expect(await t.served(fqdn)).toBeUndefined()
  expect(await t.served(`*.${fqdn}`)).toBeUndefined()
  await put(domain, { record_ip: '192.0.2.2' })
  expect(await t.served(fqdn)).toBeUndefined()
  // It still counts, and nobody else can register it.
  expect(await t.refused(t.bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
    code: 'name-taken',
  })
  expect(await put(domain, { paused: false })).toMatchObject({ is_active: true, withheld_by: [] })
  expect(await t.served(fqdn)).toEqual([address('A', '192.0.2.2')])
  expect(await t.served(`*.${fqdn}`)).toEqual([address('A', '192.0.2.2')])
  expect(await t.events(domain.id)).toMatchObject([
    { kind: 'created' },
    { kind: 'paused' },
    { kind: 'address', new: '192.0.2.2' },
    { kind: 'resumed' },
  ])
})

test('address, pause, note and tags change together, once', async () => {
  const domain = await made('together')
  const change = {
    record_ip: '192.0.2.9',
    paused: true,
    note: ' first\r\nsecond ',
    tags: [' Büro ', 'بيت'],
  }
  const changed = await put(domain, change)
  expect(changed).toMatchObject({
    record_ip: '192.0.2.9',
    paused: true,
    note: 'first\nsecond',
    tags: ['Büro', 'بيت'],
    version: 2,
  })
  expect(await put(domain, change)).toEqual(changed)
  expect(await put(domain, { note: '', tags: [] })).toMatchObject({ note: null, tags: [] })
})

test('a change that is refused in part changes nothing', async () => {
  const domain = await made('whole')
  const url = `/api/domains/${domain.id}`
  const both = { record_ip: '192.0.2.9', note: 'new' }
  await t.withhold(domain.id, 'over_limit')
  expect(await t.refused(t.ada, 'PUT', url, both)).toMatchObject({ code: 'withheld' })
  const kept = JSON.parse((await t.call(t.ada, 'GET', url)).body) as Domain
  expect(kept).toMatchObject({ record_ip: '192.0.2.1', note: null, version: 1 })
  const late = await t.refused(t.ada, 'PUT', url, { note: 'late' }, { 'if-match': '"7"' })
  expect(late).toMatchObject({ status: 412, code: 'version-mismatch' })
})

test.each([
  [{ note: 'bell \u0007' }, 'note'],
  [{ note: 'x'.repeat(201) }, 'note'],
  [{ note: '\u{d800}' }, 'note'],
  [{ tags: ['a', 'A'] }, 'tags.1'],
  [{ tags: ['a,b'] }, 'tags.0'],
  [{ tags: ['zone:x'] }, 'tags.0'],
  [{ tags: ['  '] }, 'tags.0'],
  [{ tags: ['line\nbreak'] }, 'tags.0'],
  [{ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, 'tags'],
  [{ tags: 'office' }, 'tags'],
  [{ paused: 'yes' }, 'paused'],
])('%j is refused', async (change, field) => {
  const { id } = await made('bad')
  expect(await t.refused(t.ada, 'PUT', `/api/domains/${id}`, change)).toMatchObject({
    status: 422,
    code: 'validation-failed',
    errors: [{ field }],
  })
  await t.call(t.ada, 'DELETE', `/api/domains/${id}`)
})

test('the owner cannot pause or resume a locked domain, and cannot change a wildcard', async () => {
  const domain = await made('locked')
  const wildcard = JSON.parse(
    (await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: domain.fqdn })).body,
  ) as Domain
  expect(
    await t.refused(t.ada, 'PUT', `/api/domains/${wildcard.id}`, { paused: true }),
  ).toMatchObject({ code: 'conflict' })
  await t.withhold(domain.id, 'locked')
  expect(
    await t.refused(t.ada, 'PUT', `/api/domains/${domain.id}`, { paused: true }),
  ).toMatchObject({ code: 'withheld' })
  expect(await put(domain, { note: 'Asked support' })).toMatchObject({ withheld_by: ['locked'] })
})

test('the list is filtered by what owners set', async () => {
  const [home, office] = [await made('one'), await made('two')]
  const bare = await t.made(t.ada, { fqdn: `${t.fresh('bare')}.homing.test` })
  await put(home, { tags: ['Camera', 'Attic'], record_ipv6: '2001:db8::7' })
  await put(office, { paused: true, tags: ['camera obscura'], note: 'Behind the 100% wall' })
  const found = async (filter: object) => {
    const url = `/api/domains?filter=${encodeURIComponent(JSON.stringify(filter))}`
    return (JSON.parse((await t.call(t.ada, 'GET', url)).body) as Domain[]).map(({ id }) => id)
  }
  expect(await found({ tag: 'CAMERA' })).toEqual([home.id])
  expect(await found({ note: ' behind THE 100% ' })).toEqual([office.id])
  expect(await found({ note: '100_' })).toEqual([])
  expect(await found({ paused: true })).toEqual([office.id])
  expect(await found({ status: 'paused' })).toEqual([office.id])
  expect(await found({ status: 'active' })).toEqual([home.id])
  expect(await found({ status: 'no_address' })).toEqual([bare.id])
  expect(await found({ type: 'aaaa' })).toEqual([home.id])
  expect(await found({ ip: '2001:DB8' })).toEqual([home.id])
  expect(await found({ ip: '192.0.2.1', zone: 'homing.test' })).toEqual([home.id, office.id])
  const bad = encodeURIComponent('{"status":"asleep"}')
  expect(await t.refused(t.ada, 'GET', `/api/domains?filter=${bad}`)).toMatchObject({
    errors: [{ field: 'filter.status' }],
  })
})

test('a pause counts towards the rate limit of changes', async () => {
  const domain = await made('often')
  const { config } = t.world.services
  Object.assign(config, { rateLimits: true })
  try {
    const full = `now() + interval '1 hour'`
    await query(t.world.knex, `update domains set allowance_full_at = ${full} where id = ?`, [
      domain.id,
    ])
    const url = `/api/domains/${domain.id}`
    expect(await t.refused(t.ada, 'PUT', url, { paused: true })).toMatchObject({
      code: 'rate-limited',
    })
    await put(domain, { note: 'Notes do not concern DNS' })
  } finally {
    Object.assign(config, { rateLimits: false })
  }
})
