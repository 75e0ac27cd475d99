/** Records of domains: what is created, served, changed and deleted, and what is refused. */
import type { DnsRecord } from '@homing/openapi'
import { expect, test } from 'vitest'
import { useRecordWorld } from '../../../test/support/record-world.ts'

const w = useRecordWorld()

test('a record is created, served, changed and deleted', async () => {
  const home = await w.domain(w.ada, 'home')
  const owner = `_acme-challenge.${home.fqdn}`
  const made = await w.call(w.ada, 'POST', home.url, {
    owner: '_acme-challenge',
    type: 'txt',
    values: ['one text'],
  })
  expect(made.status).toBe(201)
  expect(made.headers.etag).toBe('"1"')
  const record = JSON.parse(made.body) as DnsRecord
  expect(record).toMatchObject({
    domain_id: home.id,
    zone: 'homing.test',
    owner,
    type: 'TXT',
    ttl: 3600,
    values: ['"one text"'],
    is_served: true,
    version: 1,
  })
  expect(await w.served(owner)).toEqual([{ type: 'TXT', ttl: 3600, rdata: ['"one text"'] }])

  const changed = await w.call(w.ada, 'PUT', `${home.url}/${record.id}`, {
    ttl: 120,
    values: ['"a" "b"', 'c'],
  })
  expect(changed.headers.etag).toBe('"2"')
  expect(JSON.parse(changed.body)).toMatchObject({ ttl: 120, values: ['"a" "b"', '"c"'] })
  expect(await w.served(owner)).toEqual([{ type: 'TXT', ttl: 120, rdata: ['"a" "b"', '"c"'] }])

  // A call with the same values changes nothing.
  const same = await w.read<DnsRecord>(w.ada, 'PUT', `${home.url}/${record.id}`, { ttl: 120 })
  expect(same.version).toBe(2)

  expect((await w.call(w.ada, 'DELETE', `${home.url}/${record.id}`)).status).toBe(204)
  expect(await w.served(owner)).toBeUndefined()
  expect(await w.problem(w.ada, 'DELETE', `${home.url}/${record.id}`)).toEqual([
    'not-found',
    expect.any(String),
  ])
})

test('a dry run checks the call and changes nothing', async () => {
  const home = await w.domain(w.ada, 'dry')
  const url = `${home.url}?dry_run=true`
  const fields = { owner: 'mail', type: 'MX', values: ['10 mx.example.com'] }
  expect(await w.read(w.ada, 'POST', url, fields)).toMatchObject({
    id: '1',
    owner: `mail.${home.fqdn}`,
    values: ['10 mx.example.com.'],
  })
  expect(await w.read(w.ada, 'GET', home.url)).toEqual([])
  expect(await w.problem(w.ada, 'POST', url, { ...fields, type: 'SOA' })).toEqual([
    'record-not-allowed',
    expect.stringContaining('SOA'),
  ])
  const { id } = await w.record(w.ada, home, fields)
  await w.read(w.ada, 'PUT', `${home.url}/${id}?dry_run=true`, { ttl: 99 })
  expect((await w.call(w.ada, 'DELETE', `${home.url}/${id}?dry_run=true`)).status).toBe(204)
  expect(await w.read<DnsRecord[]>(w.ada, 'GET', home.url)).toMatchObject([{ id, ttl: 3600 }])
})

test('a record of another version is not changed', async () => {
  const home = await w.domain(w.ada, 'etag')
  const { id } = await w.record(w.ada, home, { owner: '@', type: 'TXT', values: ['a'] })
  const stale = { 'if-match': '"7"' }
  for (const [method, body] of [
    ['PUT', { ttl: 90 }],
    ['DELETE', undefined],
  ] as const) {
    const [code] = await w.problem(w.ada, method, `${home.url}/${id}`, body, stale)
    expect(code).toBe('version-mismatch')
  }
  const right = { 'if-match': '"1"' }
  expect((await w.call(w.ada, 'PUT', `${home.url}/${id}`, { ttl: 90 }, right)).status).toBe(200)
})

test('the records of others are not found', async () => {
  const home = await w.domain(w.ada, 'hers')
  const { id } = await w.record(w.ada, home, { owner: '@', type: 'TXT', values: ['a'] })
  const mine = await w.domain(w.bob, 'his')
  const zone = await w.ownZone(w.ada, 'hers')
  for (const [method, url, body] of [
    ['GET', home.url],
    ['GET', `${home.url}/export`],
    ['POST', home.url, { owner: 'x', type: 'TXT', values: ['a'] }],
    ['PUT', `${home.url}/${id}`, { ttl: 90 }],
    ['DELETE', `${home.url}/${id}`],
    ['PUT', `${mine.url}/${id}`, { ttl: 90 }],
    ['DELETE', `${mine.url}/${id}`],
    ['POST', `${home.url}/bulk`, { operations: [{ op: 'delete', id }] }],
    ['POST', `${home.url}/import`, { text: '@ IN TXT a\n' }],
    ['GET', zone.url],
    ['POST', zone.url, { owner: 'x', type: 'TXT', values: ['a'] }],
  ] as const) {
    expect((await w.problem(w.bob, method, url, body))[0]).toBe('not-found')
  }
})

test.each([
  ['CNAME', '@', 'is a domain'],
  ['NS', '@', 'is a domain'],
  ['CNAME', 'sub', 'is a domain'],
  ['A', '@', 'Set the address of the domain'],
  ['AAAA', 'x', 'Register'],
  ['PTR', 'x', 'in your own zones'],
  ['TXT', '*', 'no wildcard'],
])('%s at %s is refused: %s', async (type, owner, words) => {
  const home = await w.domain(w.ada, 'conflict')
  await w.made(w.ada, { fqdn: `sub.${home.fqdn}` })
  const value = { A: '192.0.2.1', AAAA: '2001:db8::1', TXT: 'x' }[type] ?? 'a.example.com'
  expect(await w.problem(w.ada, 'POST', home.url, { owner, type, values: [value] })).toEqual([
    'record-not-allowed',
    expect.stringContaining(words),
  ])
})

test('a delegation has the addresses of its name servers, and nothing else below it', async () => {
  const home = await w.domain(w.ada, 'deleg')
  const ns = await w.record(w.ada, home, {
    owner: 'lab',
    type: 'NS',
    values: [`ns1.lab.${home.fqdn}`, 'ns.example.com.'],
  })
  const glue = { owner: 'ns1.lab', type: 'A', values: ['203.0.113.53'] }
  const { id } = await w.record(w.ada, home, glue)
  const refused = async (fields: object) => (await w.problem(w.ada, 'POST', home.url, fields))[1]
  expect(await refused({ ...glue, owner: 'ns2.lab' })).toContain('delegated')
  expect(await refused({ owner: 'x.lab', type: 'TXT', values: ['a'] })).toContain('delegated')
  expect(await refused({ owner: 'lab', type: 'TXT', values: ['a'] })).toContain('delegated')
  // The address of a name server would be left alone.
  const [, orphan] = await w.problem(w.ada, 'DELETE', `${home.url}/${ns.id}`)
  expect(orphan).toContain('Delete it first')
  const other = { values: ['ns.example.com'] }
  expect(await w.problem(w.ada, 'PUT', `${home.url}/${ns.id}`, other)).toEqual([
    'record-not-allowed',
    orphan,
  ])
  await w.call(w.ada, 'DELETE', `${home.url}/${id}`)
  expect((await w.call(w.ada, 'DELETE', `${home.url}/${ns.id}`)).status).toBe(204)
})
