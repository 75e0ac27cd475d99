/** Records and their domains: locks, withheld domains, new domains between, deletions, wildcards and history. */
import type { DnsRecord, Domain, DomainEvent, RestorableDomain } from '@homing/openapi'
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { expectFeedEqualsTables, replay, toldSets } from '../../../test/support/feed-world.ts'
import { type TestPlace, useRecordWorld } from '../../../test/support/record-world.ts'

const w = useRecordWorld()

const list = async (who: Caller, { url }: TestPlace) => w.read<DnsRecord[]>(who, 'GET', url)
const text = (owner: string, value = 'a') => ({ owner, type: 'TXT', values: [value] })

const events = async (who: Caller, { id }: { readonly id: string }) =>
  w.read<DomainEvent[]>(who, 'GET', `/api/domains/${id}/events`)
const undo = async (who: Caller, id: string, eventId: string) =>
  w.call(who, 'POST', `/api/domains/${id}/events/${eventId}/undo`)

test('a withheld domain withholds its records, and they can be edited', async () => {
  const home = await w.domain(w.ada, 'withheld')
  const record = await w.record(w.ada, home, text('x'))
  await w.call(w.ada, 'PUT', `/api/domains/${home.id}`, { paused: true })
  expect(await w.served(record.owner)).toBeUndefined()
  expect(await list(w.ada, home)).toMatchObject([{ is_served: false }])
  await w.read(w.ada, 'PUT', `${home.url}/${record.id}`, { values: ['b'] })
  expect(await w.served(record.owner)).toBeUndefined()
  await w.call(w.ada, 'PUT', `/api/domains/${home.id}`, { paused: false })
  expect(await w.served(record.owner)).toMatchObject([{ rdata: ['"b"'] }])
})

test('the records of a locked domain cannot be changed', async () => {
  const home = await w.domain(w.ada, 'locked')
  const { id } = await w.record(w.ada, home, text('x'))
  await w.withhold(home.id, 'locked')
  for (const [method, url, body] of [
    ['POST', home.url, text('y')],
    ['PUT', `${home.url}/${id}`, { ttl: 99 }],
    ['DELETE', `${home.url}/${id}`, undefined],
    ['POST', `${home.url}/bulk`, { operations: [{ op: 'delete', id }] }],
    ['POST', `${home.url}/import`, { text: 'y 3600 IN TXT a\n' }],
  ] as const) {
    expect((await w.problem(w.ada, method, url, body))[0]).toBe('domain-locked')
  }
})

test('a domain that is registered between takes the records at and below it', async () => {
  const home = await w.domain(w.ada, 'between')
  await w.record(w.ada, home, text('x'))
  await w.record(w.ada, home, text('a.b.x'))
  const other = await w.record(w.ada, home, text('y'))
  const x = await w.made(w.ada, { fqdn: `x.${home.fqdn}` })
  const domainIds = async () =>
    (await list(w.ada, home)).map(({ owner, domain_id }) => [owner, domain_id])
  expect(await domainIds()).toEqual([
    [`x.${home.fqdn}`, x.id],
    [`a.b.x.${home.fqdn}`, x.id],
    [other.owner, home.id],
  ])
  const url = `/api/domains/${x.id}/records`
  expect(await w.read<DnsRecord[]>(w.ada, 'GET', url)).toHaveLength(2)
  await w.call(w.ada, 'DELETE', `/api/domains/${x.id}`)
  expect(await domainIds()).toEqual([[other.owner, home.id]])
  expect(await w.served(`a.b.x.${home.fqdn}`)).toBeUndefined()
  // What was created meanwhile belongs to the restored domain.
  await w.record(w.ada, home, text('n.x'))
  const [deleted] = await w.read<Domain[]>(w.ada, 'GET', '/api/domains/deleted')
  await w.read(w.ada, 'POST', `/api/domains/${deleted?.id}/restore`)
  expect(await domainIds()).toContainEqual([`n.x.${home.fqdn}`, x.id])
})

const restore = async (who: Caller, { id }: { readonly id: string }) =>
  w.call(who, 'POST', `/api/domains/${id}/restore`)
const remove = async (who: Caller, { id }: { readonly id: string }) =>
  w.call(who, 'DELETE', `/api/domains/${id}`)
const ownersOf = (records: readonly DnsRecord[]) =>
  records.map(({ owner, type }) => `${owner.split('.')[0]} ${type}`).toSorted()

test('a deleted domain comes back with its records', async () => {
  const home = await w.domain(w.ada, 'back')
  await w.read(w.ada, 'POST', '/api/domains/wildcard', { base_fqdn: home.fqdn })
  for (const fields of [
    text('@'),
    text('*'),
    { owner: 'www', type: 'CNAME', values: ['a.example.com'] },
    { owner: 'lab', type: 'NS', values: [`ns1.lab.${home.fqdn}`], ttl: 60 },
    { owner: 'ns1.lab', type: 'A', values: ['203.0.113.9'] },
  ]) {
    await w.record(w.ada, home, fields)
  }
  const before = await list(w.ada, home)
  expect((await remove(w.ada, home)).status).toBe(204)
  expect(await w.served(`www.${home.fqdn}`)).toBeUndefined()
  const [deleted] = await w.read<RestorableDomain[]>(w.ada, 'GET', '/api/domains/deleted')
  expect(deleted).toMatchObject({ id: home.id, records: 5 })
  const narrow = await w.keyOf(w.ada, { record_types: ['A', 'AAAA', 'CNAME', 'NS'] })
  expect(JSON.parse((await restore(narrow, home)).body)).toMatchObject({ code: 'key-scope' })
  expect((await restore(w.ada, home)).status).toBe(200)
  const again = before.map((record) => ({ ...record, version: record.version + 1 }))
  expect(await list(w.ada, home)).toEqual(again)
  expect(await w.served(`www.${home.fqdn}`)).toMatchObject([{ type: 'CNAME' }])
  expect(await w.served(`*.${home.fqdn}`)).toMatchObject([{ type: 'A' }, { type: 'TXT' }])
  expect((await events(w.ada, home))[0]).toMatchObject({ kind: 'undeleted' })
  await expectFeedEqualsTables(w.world.knex)
})

test('a record in whose place something else stands is in the history as deleted, and can be undone', async () => {
  const zone = await w.ownZone(w.ada, 'since')
  const home = await w.made(w.ada, { fqdn: `home.${zone.fqdn}`, record_ip: '203.0.113.7' })
  const place = { ...home, url: `/api/domains/${home.id}/records` }
  const alias = (owner: string) => ({ owner, type: 'CNAME', values: ['a.example.com'] })
  for (const fields of [
    text('same'),
    text('x'),
    alias('www'),
    alias('y'),
    { owner: 'lab', type: 'NS', values: [`ns1.lab.${home.fqdn}`] },
    { owner: 'ns1.lab', type: 'A', values: ['203.0.113.9'] },
    text('kept'),
    text('a.deep'),
    text('locked'),
  ]) {
    await w.record(w.ada, place, fields)
  }
  await remove(w.ada, home)
  for (const fields of [
    text('same.home', 'b'),
    alias('x.home'),
    text('www.home'),
    text('www.lab.home'),
  ]) {
    await w.record(w.ada, zone, fields)
  }
  for (const label of ['z.y', 'deep']) await w.made(w.ada, { fqdn: `${label}.${home.fqdn}` })
  await query(w.world.knex, 'insert into locked_names (fqdn) values (?)', [`locked.${home.fqdn}`])
  expect((await restore(w.ada, home)).status).toBe(200)
  const found = ['a TXT', 'kept TXT', 'same TXT', 'www TXT', 'www TXT', 'x CNAME']
  expect(ownersOf(await list(w.ada, place))).toEqual(found)
  const deep = (await list(w.ada, place)).find(({ owner }) => owner.startsWith('a.deep'))
  expect(deep?.domain_id).not.toBe(home.id)
  const served = async (label: string) =>
    replay(await toldSets(w.world.knex, zone.zoneId))[`${label}.${home.fqdn}`]
  expect(await served('a.deep')).toMatchObject([{ type: 'TXT' }])
  const left = (await events(w.ada, home)).filter(({ kind }) => kind === 'record-deleted')
  const names = left.map(({ old }) => old.record?.owner.split('.', 1).join() ?? '').toSorted()
  expect(names).toEqual(['lab', 'locked', 'ns1', 'same', 'www', 'x', 'y'])
  const x = (await list(w.ada, place)).find(({ owner }) => owner.startsWith('x.'))
  await w.call(w.ada, 'DELETE', `${place.url}/${x?.id}`)
  const ofX = left.find(({ old }) => old.record?.owner.startsWith('x.'))
  expect((await undo(w.ada, home.id, ofX?.id ?? '')).status).toBe(200)
  expect(await served('x')).toMatchObject([{ type: 'TXT' }])
  await expectFeedEqualsTables(w.world.knex)
})

test('records come back only as far as the plan has places, with its shortest TTL', async () => {
  const [home, other] = [await w.domain(w.ada, 'places'), await w.domain(w.ada, 'others')]
  await w.record(w.ada, home, { owner: 'mx', type: 'MX', values: ['10 a.example.com'] })
  for (const label of ['a', 'b', 'c']) await w.record(w.ada, home, { ...text(label), ttl: 60 })
  await remove(w.ada, home)
  await query(w.world.knex, `update users set account_type = 'free' where id = ?`, [w.ada.id])
  await w.record(w.ada, other, {
    ...text('x'),
    values: Array.from({ length: 8 }, (_, n) => `${n}`),
  })
  expect((await restore(w.ada, home)).status).toBe(200)
  const back = await list(w.ada, home)
  expect(ownersOf(back)).toEqual(['a TXT', 'b TXT'])
  expect(back.map(({ ttl }) => ttl)).toEqual([3600, 3600])
})

test('a record that cannot come back takes no place of the plan from the others', async () => {
  const home = await w.domain(w.ada, 'room')
  const x = await w.made(w.ada, { fqdn: `x.${home.fqdn}` })
  const below = { ...x, url: `/api/domains/${x.id}/records` }
  await w.record(w.ada, below, {
    ...text('a'),
    values: Array.from({ length: 8 }, (_, n) => `${n}`),
  })
  for (const label of ['b', 'c']) await w.record(w.ada, below, text(label))
  await remove(w.ada, x)
  await query(w.world.knex, `update users set account_type = 'free' where id = ?`, [w.ada.id])
  for (const label of ['a.x', 'd']) await w.record(w.ada, home, text(label))
  expect((await restore(w.ada, x)).status).toBe(200)
  expect(ownersOf(await list(w.ada, below))).toEqual(['a TXT', 'b TXT', 'c TXT'])
})

test('long records come back only as far as the account has room for their values', async () => {
  const [home, other] = [await w.domain(w.ada, 'long'), await w.domain(w.ada, 'full')]
  const long = { ...text('long'), values: Array.from({ length: 8 }, (_, n) => `${n}`.repeat(250)) }
  for (const fields of [text('short'), long]) await w.record(w.ada, home, fields)
  await remove(w.ada, home)
  const { id } = await w.record(w.ada, other, text('x'))
  // Not through the api, which would also write the values to the history and the feed.
  const setValues = (values: readonly string[]) =>
    query(w.world.knex, 'update records set rdata = ? where id = ?', [values, id])
  await setValues(['x'.repeat(16 * 1024 * 1024 - 1000)])
  expect((await restore(w.ada, home)).status).toBe(200)
  await setValues(['"a"'])
  expect(ownersOf(await list(w.ada, home))).toEqual(['short TXT'])
  expect((await events(w.ada, home))[0]).toMatchObject({ kind: 'record-deleted' })
})

test('the history of a domain does not undo what a later domain has taken', async () => {
  const home = await w.domain(w.ada, 'taken')
  await w.record(w.ada, home, text('x'))
  const [event] = await events(w.ada, home)
  const x = await w.made(w.ada, { fqdn: `x.${home.fqdn}` })
  const answer = await undo(w.ada, home.id, event?.id ?? '')
  expect(JSON.parse(answer.body)).toMatchObject({
    code: 'undo-refused',
    detail: expect.stringContaining(`belongs to the domain ${x.fqdn} now`) as string,
  })
})

test.each(['CNAME', 'NS'])(
  'a domain cannot be registered at or below a %s record',
  async (type) => {
    const home = await w.domain(w.ada, 'taken')
    await w.record(w.ada, home, { owner: 'x', type, values: ['a.example.com'] })
    for (const label of ['x', 'y.x']) {
      const fqdn = `${label}.${home.fqdn}`
      expect(await w.problem(w.ada, 'POST', '/api/domains', { fqdn })).toEqual([
        'name-taken',
        expect.stringContaining(`x.${home.fqdn} has ${type} records of yours`),
      ])
    }
  },
)

test('a wildcard has records beside its addresses', async () => {
  const home = await w.domain(w.ada, 'wild')
  await w.read(w.ada, 'POST', '/api/domains/wildcard', { base_fqdn: home.fqdn })
  await w.record(w.ada, home, text('*'))
  expect(await w.served(`*.${home.fqdn}`)).toMatchObject([{ type: 'A' }, { type: 'TXT' }])
  const cname = { owner: '*', type: 'CNAME', values: ['a.example.com'] }
  expect((await w.problem(w.ada, 'POST', home.url, cname))[1]).toContain('wildcard')
})

test('the history shows each change of a record, and undoes it', async () => {
  const home = await w.domain(w.ada, 'history')
  const { id, owner } = await w.record(w.ada, home, text('x'))
  await w.read(w.ada, 'PUT', `${home.url}/${id}`, { values: ['b'], ttl: 99 })
  const [changed, created] = await events(w.ada, home)
  const before = { owner, type: 'TXT', ttl: 3600, values: ['"a"'] }
  const after = { owner, type: 'TXT', ttl: 99, values: ['"b"'] }
  expect(created).toMatchObject({
    kind: 'record-created',
    old: { record: null },
    new: { record: before },
  })
  expect(changed).toMatchObject({
    kind: 'record-changed',
    old: { record: before },
    new: { record: after },
  })
  // A record of another type is another subject.
  await w.record(w.ada, home, { owner: 'x', type: 'MX', values: ['10 a.example.com'] })

  expect((await undo(w.ada, home.id, created?.id ?? '')).status).toBe(409)
  expect((await undo(w.ada, home.id, changed?.id ?? '')).status).toBe(200)
  expect(await list(w.ada, home)).toContainEqual(expect.objectContaining({ id, ...before }))
  const [, again] = await w.problem(
    w.ada,
    'POST',
    `/api/domains/${home.id}/events/${changed?.id}/undo`,
  )
  expect(again).toContain('undone already')

  await w.call(w.ada, 'DELETE', `${home.url}/${id}`)
  const [deleted] = await events(w.ada, home)
  expect(deleted).toMatchObject({ kind: 'record-deleted', new: { record: null } })
  expect((await undo(w.ada, home.id, deleted?.id ?? '')).status).toBe(200)
  const [restored] = await events(w.ada, home)
  expect(restored).toMatchObject({ kind: 'record-created', undoes: deleted?.id })
  expect((await undo(w.ada, home.id, restored?.id ?? '')).status).toBe(200)
  expect(await w.served(owner)).toMatchObject([{ type: 'MX' }])
})

test('an undo follows the rules of today', async () => {
  const home = await w.domain(w.ada, 'undone')
  const { id } = await w.record(w.ada, home, text('x'))
  await w.call(w.ada, 'DELETE', `${home.url}/${id}`)
  const [deleted] = await events(w.ada, home)
  await w.record(w.ada, home, { owner: 'x', type: 'CNAME', values: ['a.example.com'] })
  const url = `/api/domains/${home.id}/events/${deleted?.id}/undo`
  expect((await w.problem(w.ada, 'POST', url))[0]).toBe('record-not-allowed')
})

test('of two creations of one record at once, one succeeds', async () => {
  const home = await w.domain(w.ada, 'race')
  const codes = await Promise.all(
    Array.from(
      { length: 6 },
      async (_, n) => (await w.call(w.ada, 'POST', home.url, text('x', `${n}`))).status,
    ),
  )
  expect(codes.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
})

test('creations at once do not exceed the plan', async () => {
  const home = await w.domain(w.bob, 'limit')
  const codes = await Promise.all(
    Array.from(
      { length: 14 },
      async (_, n) => (await w.call(w.bob, 'POST', home.url, text(`x${n}`))).status,
    ),
  )
  expect(codes.filter((code) => code === 201)).toHaveLength(10)
  const [row] = await query<{ count: number }>(
    w.world.knex,
    'select count(*)::int as count from records where user_id = ?',
    [w.bob.id],
  )
  expect(row?.count).toBe(10)
})

test('addresses and records of one owner that change at once leave the feed as the tables', async () => {
  const home = await w.domain(w.ada, 'both')
  const { id } = await w.record(w.ada, home, text('@'))
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) =>
      n % 2 === 0
        ? w.call(w.ada, 'PUT', `/api/domains/${home.id}`, { record_ip: `203.0.113.${n + 20}` })
        : w.call(w.ada, 'PUT', `${home.url}/${id}`, { values: [`text ${n}`] }),
    ),
  )
  await expectFeedEqualsTables(w.world.knex)
  expect(await w.served(home.fqdn)).toHaveLength(2)
})

test('administrators see the records of all accounts', async () => {
  const home = await w.domain(w.ada, 'admin')
  const { id, owner } = await w.record(w.ada, home, text('x', 'Needle'))
  const admin = await w.world.person(w.fresh('root'), 'admin')
  const filter = encodeURIComponent(JSON.stringify({ q: 'needle', user_id: w.ada.id, type: 'txt' }))
  expect(await w.read(admin, 'GET', `/api/admin/records?filter=${filter}`)).toMatchObject([
    { id, owner, user_id: w.ada.id, username: w.ada.username, fqdn: home.fqdn },
  ])
})

test('a list is filtered, sorted and read in pages', async () => {
  const home = await w.domain(w.ada, 'list')
  for (const owner of ['b', 'a', 'c']) await w.record(w.ada, home, text(owner, `value ${owner}`))
  await w.record(w.ada, home, { owner: 'a', type: 'MX', values: ['10 a.example.com'] })
  const page = async (query: Record<string, unknown>) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
    )
    const answer = await w.call(w.ada, 'GET', `${home.url}?${search.toString()}`)
    const rows = JSON.parse(answer.body) as DnsRecord[]
    return [answer.headers['content-range'], rows.map(({ owner, type }) => `${owner[0]} ${type}`)]
  }
  expect(await page({ sort: ['owner', 'ASC'], range: [0, 1] })).toEqual([
    'records 0-1/4',
    ['a MX', 'a TXT'],
  ])
  expect(await page({ filter: { q: 'VALUE B' } })).toEqual(['records 0-0/1', ['b TXT']])
  expect(await page({ filter: { type: 'mx' } })).toEqual(['records 0-0/1', ['a MX']])
  expect(await page({ filter: { owner: `C.${home.fqdn}.` } })).toEqual(['records 0-0/1', ['c TXT']])
})
