/** Batches, imports and exports of records. */
import type { DnsRecord, RecordBatchResult, RecordUsage, ZoneFileResult } from '@homing/openapi'
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { RateLimits } from '../../limits/rate-limits.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { type TestPlace, useRecordWorld } from '../../../test/support/record-world.ts'
import { RecordLine } from './record-line.ts'
import { countSize, requireSizeAllowance } from './record-size.ts'

const w = useRecordWorld()

const list = async (who: Caller, { url }: TestPlace) => w.read<DnsRecord[]>(who, 'GET', url)
const batch = async (who: Caller, { url }: TestPlace, operations: object[], fields = {}) =>
  w.read<RecordBatchResult>(who, 'POST', `${url}/bulk`, { operations, ...fields })
const imported = async (who: Caller, { url }: TestPlace, text: string, fields = {}) =>
  w.read<ZoneFileResult>(who, 'POST', `${url}/import`, { text, ...fields })
const exported = async (who: Caller, { url }: TestPlace) =>
  (await w.call(who, 'GET', `${url}/export`)).body

test('a batch is applied as a whole, whatever the order of its operations', async () => {
  const home = await w.domain(w.ada, 'batch')
  const old = await w.record(w.ada, home, { owner: 'www', type: 'TXT', values: ['a'] })
  const kept = await w.record(w.ada, home, { owner: '@', type: 'TXT', values: ['a'] })
  const result = await batch(w.ada, home, [
    { op: 'create', owner: 'www', type: 'CNAME', values: ['www.example.com'] },
    { op: 'create', owner: 'ns1.lab', type: 'A', values: ['203.0.113.1'] },
    { op: 'create', owner: 'lab', type: 'NS', values: [`ns1.lab.${home.fqdn}`] },
    { op: 'delete', id: old.id, version: 1 },
    { op: 'change', id: kept.id, values: ['b'] },
  ])
  expect(result.applied).toBe(true)
  expect(result.verdicts.map(({ ok, id, type }) => [ok, id === null, type])).toEqual([
    [true, false, 'CNAME'],
    [true, false, 'A'],
    [true, false, 'NS'],
    [true, false, 'TXT'],
    [true, false, 'TXT'],
  ])
  expect(await w.served(home.fqdn)).toContainEqual({ type: 'TXT', ttl: 3600, rdata: ['"b"'] })
  expect(await w.served(`www.${home.fqdn}`)).toEqual([
    { type: 'CNAME', ttl: 3600, rdata: ['www.example.com.'] },
  ])
})

test('a refused operation is named, and nothing is changed', async () => {
  const home = await w.domain(w.ada, 'refused')
  const { id } = await w.record(w.ada, home, { owner: '@', type: 'TXT', values: ['a'] })
  const mx = await w.record(w.ada, home, { owner: 'm', type: 'MX', values: ['1 a.example.com'] })
  const operations = [
    { op: 'create', owner: 'good', type: 'TXT', values: ['a'] },
    { op: 'create', owner: '@', type: 'TXT', values: ['b'] },
    { op: 'create', owner: 'x', type: 'SOA', values: ['b'] },
    { op: 'change', id, version: 9, ttl: 99 },
    { op: 'delete', id: '999999' },
    { op: 'create', owner: 'good', type: 'TXT', values: ['c'] },
    { op: 'create', owner: 'y', type: 'MX', values: ['nonsense'] },
    { op: 'change', id: mx.id, values: ['nonsense'] },
  ]
  const { applied, verdicts } = await batch(w.ada, home, operations)
  expect(applied).toBe(false)
  expect(verdicts.map(({ code }) => code)).toEqual([
    undefined,
    'record-exists',
    'record-not-allowed',
    'version-mismatch',
    'not-found',
    'conflict',
    'record-not-allowed',
    'record-not-allowed',
  ])
  expect(verdicts[6]).toMatchObject({ index: 6, op: 'create', field: 'values.0' })
  expect(verdicts[7]).toMatchObject({ id: mx.id, owner: mx.owner, type: 'MX', field: 'values.0' })
  expect(await list(w.ada, home)).toHaveLength(2)
  const dry = await batch(w.ada, home, operations.slice(0, 1), { dry_run: true })
  expect(dry).toMatchObject({ applied: false, verdicts: [{ ok: true, id: null }] })
  expect(await list(w.ada, home)).toHaveLength(2)
})

test('a zone file is imported, and the exported file imports again without a change', async () => {
  const zone = await w.ownZone(w.ada, 'file')
  await w.made(w.ada, { fqdn: `www.${zone.fqdn}`, record_ip: '203.0.113.7' })
  const text = `$TTL 1h
@ IN SOA ns.example.com. admin.example.com. 1 2 3 4 5
@ IN NS ns.example.com.
ns1 IN A 192.0.2.99
@ 300 IN MX 10 mail
   IN MX 20 backup.example.com.
   IN TXT "v=spf1 -all" ; a comment
_443._tcp.www IN TLSA 3 1 1 ${'ab'.repeat(32)}
lab IN NS ns.lab
ns.lab IN A 203.0.113.53
* IN CNAME www
x IN TYPE65280 \\# 2 ABCD
`.replace('   IN MX 20', '   300 IN MX 20')
  const dry = await imported(w.ada, zone, text, { dry_run: true })
  expect(dry).toMatchObject({ applied: false, created: 7, problem_count: 3 })
  expect(await list(w.ada, zone)).toEqual([])
  const result = await imported(w.ada, zone, text)
  expect(result).toMatchObject({ applied: true, created: 7, changed: 0, deleted: 0, unchanged: 0 })
  expect(result.problems.map(({ line, type, is_skipped }) => [line, type, is_skipped])).toEqual([
    [2, 'SOA', true],
    [3, 'NS', true],
    [4, 'A', true],
  ])
  const file = await exported(w.ada, zone)
  expect(file).toContain(`${zone.fqdn}. 300 IN MX 10 mail.${zone.fqdn}.\n`)
  const again = await imported(w.ada, zone, file, { replace: true })
  expect(again).toMatchObject({ applied: true, created: 0, changed: 0, deleted: 0, unchanged: 7 })
  expect(await exported(w.ada, zone)).toBe(file)
})

test('with replace, records that the file does not have are deleted', async () => {
  const home = await w.domain(w.ada, 'replace')
  for (const owner of ['a', 'b']) {
    await w.record(w.ada, home, { owner, type: 'TXT', values: [owner] })
  }
  const other = await w.domain(w.ada, 'other')
  await w.record(w.ada, other, { owner: 'c', type: 'TXT', values: ['c'] })
  const text = `@ 60 IN A 203.0.113.7\nb 60 IN TXT "new"\n`
  expect(await imported(w.ada, home, text, { replace: true })).toMatchObject({
    applied: true,
    changed: 1,
    deleted: 1,
    problems: [{ line: 1, owner: home.fqdn, type: 'A', is_skipped: true }],
  })
  expect(await list(w.ada, home)).toMatchObject([{ owner: `b.${home.fqdn}`, values: ['"new"'] }])
  expect(await list(w.ada, other)).toHaveLength(1)
})

test('each wrong line of a file is named, and nothing is imported', async () => {
  const home = await w.domain(w.ada, 'wrong')
  const lines = [
    'good 60 IN TXT "a"',
    'x 60 IN TXT',
    'x 60 IN NOSUCH a',
    'x 60 CH TXT "a"',
    'elsewhere.example. 60 IN TXT "a"',
    'x 60 IN DS 1 8 2 AABB',
    'x 60 IN MX ten mail',
    'x 1 IN TXT "too short"',
    'y 60 IN TXT "a"',
    'y 90 IN TXT "other ttl"',
    'z 60 IN CNAME a',
    'z 60 IN CNAME b',
    'c 60 IN CNAME a',
    'c 60 IN TXT "a"',
    '@ 60 IN CNAME a',
    'www 60 IN A 203.0.113.1',
    '$INCLUDE /etc/passwd',
    'x ( 60 IN TXT "a"',
  ]
  const result = await imported(w.ada, home, lines.join('\r\n'))
  expect(result).toMatchObject({ applied: false, created: 0 })
  expect(result.problems.every(({ is_skipped }) => !is_skipped)).toBe(true)
  const wrong = [...new Set(result.problems.map(({ line }) => line))]
  expect(wrong).toEqual([2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17, 18])
  expect(await list(w.ada, home)).toEqual([])
})

test('of very many wrong lines, the first hundred are named', async () => {
  const home = await w.domain(w.ada, 'many-wrong')
  const values = Array.from({ length: 150 }, (_, n) => `a 60 IN TXT ${n}\n`).join('')
  const result = await imported(w.ada, home, `${values}${'x\n'.repeat(1_000)}`)
  expect(result).toMatchObject({ applied: false, problem_count: 1_001 })
  expect(result.problems).toHaveLength(100)
  expect(result.problems[0]).toMatchObject({
    line: 1,
    detail: `a.${home.fqdn} can have at most 100 TXT records.`,
  })
  expect(result.problems.at(-1)?.line).toBe(249)
})

test('the values of all records of an account have a maximum', async () => {
  const home = await w.ownZone(w.ada, 'large')
  const { id } = await w.record(w.ada, home, { owner: 'fill', type: 'TXT', values: ['short'] })
  const fill = `update records set rdata = array[repeat('x', 16 * 1024 * 1024 - 2000)] where id = ?`
  await query(w.world.knex, fill, [id])
  const long = { owner: 'long', type: 'TXT', values: ['x'.repeat(3_000)] }
  expect((await w.problem(w.ada, 'POST', home.url, long))[0]).toBe('record-limit')
  await w.record(w.ada, home, { owner: 'short', type: 'TXT', values: ['x'.repeat(1_000)] })
  await query(w.world.knex, `update records set rdata = array['"short"'] where id = ?`, [id])
  await w.record(w.ada, home, long)
})

test('long values count towards an hourly limit, before and after a change', async () => {
  const rateLimits = new RateLimits(w.world.knex, true)
  const line = new RecordLine('create')
  const written = async (characters: number) => {
    line.after = { owner: 'x', type: 'TXT', ttl: 60, values: ['x'.repeat(characters)] }
    await countSize({ rateLimits }, w.bob.id, [line])
    return () => requireSizeAllowance({ rateLimits }, w.bob.id)
  }
  expect(await written(1_000)).not.toThrow()
  expect(await rateLimits.countOf('record-size-account', w.bob.id)).toBe(0)
  expect(await written(64 * 1024 * 1024)).not.toThrow()
  expect(await written(2_000)).toThrow('Too many requests')
})

test('a plan with TXT records counts their values, and has no other types', async () => {
  const home = await w.domain(w.bob, 'free')
  const fields = { owner: '@', type: 'TXT' }
  const values = Array.from({ length: 9 }, (_, n) => `text ${n}`)
  const { id } = await w.record(w.bob, home, { ...fields, values })
  const usage = async () => w.read<RecordUsage>(w.bob, 'GET', '/api/records/usage')
  expect(await usage()).toMatchObject({ used: 9, limit: 10, record_types: 'txt' })
  const mx = { owner: '@', type: 'MX', values: ['10 a.example.com'] }
  expect((await w.problem(w.bob, 'POST', home.url, mx))[0]).toBe('plan-required')
  const grow = { values: [...values, 'ten', 'eleven'] }
  expect((await w.problem(w.bob, 'PUT', `${home.url}/${id}`, grow))[0]).toBe('record-limit')
  const two = { ...fields, owner: 'x', values: ['ten', 'eleven'] }
  expect((await w.problem(w.bob, 'POST', home.url, two))[0]).toBe('record-limit')
  const text = 'x 3600 IN TXT ten\ny 3600 IN TXT eleven\n'
  expect((await w.problem(w.bob, 'POST', `${home.url}/import`, { text }))[0]).toBe('record-limit')
  // What a batch frees counts first.
  const { applied } = await batch(w.bob, home, [
    { op: 'create', ...two },
    { op: 'change', id, values: values.slice(0, 8) },
  ])
  expect(applied).toBe(true)
  expect((await usage()).used).toBe(10)
})

test('a smaller plan keeps the records, and refuses growth', async () => {
  const home = await w.domain(w.ada, 'smaller')
  const mx = { owner: '@', type: 'MX', values: ['10 a.example.com'] }
  const { id } = await w.record(w.ada, home, mx)
  const values = Array.from({ length: 12 }, (_, n) => `text ${n}`)
  const text = await w.record(w.ada, home, { owner: '@', type: 'TXT', values })
  await query(w.world.knex, `update users set account_type = 'free' where id = ?`, [w.ada.id])
  expect(await w.served(home.fqdn)).toContainEqual(
    expect.objectContaining({ type: 'MX', rdata: ['10 a.example.com.'] }),
  )
  const change = async (record: string, body: object) =>
    (await w.call(w.ada, 'PUT', `${home.url}/${record}`, body)).status
  expect(await change(text.id, { values: values.slice(1) })).toBe(200)
  expect(await change(text.id, { values: values.slice(1), ttl: 7200 })).toBe(200)
  expect(await change(text.id, { values })).toBe(403)
  expect(await change(id, { values: ['20 a.example.com'] })).toBe(403)
  expect((await w.call(w.ada, 'DELETE', `${home.url}/${id}`)).status).toBe(204)
})

test('more records than fit into a change set of domains go with their domain', async () => {
  const home = await w.domain(w.ada, 'many')
  const lines = Array.from({ length: 600 }, (_, n) => `r${n} 3600 IN TXT "value ${n}"\n`)
  expect(await imported(w.ada, home, lines.join(''))).toMatchObject({ created: 600 })
  expect(await w.served(`r599.${home.fqdn}`)).toMatchObject([{ rdata: ['"value 599"'] }])
  await w.read(w.ada, 'PUT', `/api/domains/${home.id}`, { paused: true })
  expect(await w.served(`r599.${home.fqdn}`)).toBeUndefined()
  expect((await w.call(w.ada, 'DELETE', `/api/domains/${home.id}`)).status).toBe(204)
  expect(await w.served(`r0.${home.fqdn}`)).toBeUndefined()
  const metrics = await w.world.app.inject({ url: '/metrics' })
  expect(metrics.body).toMatch(/homing_api_record_changes_total\{change="created"\} \d{3}/)
})

test('a file with more records than any plan includes is not read to its end', async () => {
  const home = await w.domain(w.ada, 'huge')
  const lines = Array.from({ length: 10_200 }, (_, n) => `r${n} 3600 IN TXT a\n`)
  const text = lines.join('')
  expect(await w.problem(w.ada, 'POST', `${home.url}/import`, { text })).toEqual([
    'record-limit',
    expect.stringContaining('10000'),
  ])
})
