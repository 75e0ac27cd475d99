import type { CreatedApiKey, DnsSummary, ExportedQueries, QuerySeries } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'

const NOW = new Date('2026-05-12T08:32:10.000Z')

let world: ApiWorld
let ada: Caller
let home = ''
let nas = ''
let people = 0

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => NOW })
  await query(world.knex, 'insert into query_roll_up (counted_until) values (?)', [
    '2026-05-12T08:31:55Z',
  ])
  await query(world.knex, `insert into autonomous_systems values (64496, 'Example Net')`)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await person('ada', 'elite')
  ;[home, nas] = [await domainOf(ada, 'home'), await domainOf(ada, 'nas')]
})

const fqdn = (label: string) => `${label}${people}.homing.test`

const person = (name: string, plan: string): Promise<Caller> =>
  world.person(`${name}${people}`, plan)

async function domainOf(owner: Caller, label: string): Promise<string> {
  const { id } = await insertDomain(world.knex, { userId: owner.id, fqdn: fqdn(label) })
  return id
}

/** Adds queries as the roll-up does. @param value `dimension value` */
async function count(id: string, at: string, queries: number, value = 'total '): Promise<void> {
  const [dimension = '', text = ''] = value.split(' ')
  for (const [table, seconds] of [
    ['queries_5m', 300],
    ['queries_1h', 3_600],
    ['queries_1d', 86_400],
  ] as const) {
    await query(
      world.knex,
      `insert into ${table} as t values (date_bin(make_interval(secs => ?), ?, '2000-01-01Z'), ?, ?, ?, ?)
       on conflict (domain_id, dimension, at, value) do update set queries = t.queries + excluded.queries`,
      [seconds, `${at}Z`, id, dimension, text, queries],
    )
  }
}

const get = (url: string, who: Caller = ada): Promise<Reply> =>
  call(world.app, 'GET', url, { headers: who.headers })
const summaryOf = async (who = ada) => (await get('/api/dns-stats/summary', who)).json<DnsSummary>()
const series = (search: Readonly<Record<string, string>>, who = ada) =>
  get(`/api/dns-stats/series?${new URLSearchParams(search).toString()}`, who)
const exported = (search: Readonly<Record<string, string>>) =>
  get(`/api/dns-stats/export?${new URLSearchParams(search).toString()}`)

describe('the summary', () => {
  test('has the totals of the periods until now, their trends, and the lists', async () => {
    await count(home, '2026-05-12T08:31', 10)
    await count(home, '2026-05-11T09:00', 100)
    // Outside the 24 hours, and before them.
    await count(home, '2026-05-11T08:10', 50)
    await count(nas, '2026-05-06T00:00', 1_000)
    await count(nas, '2026-04-13T00:00', 7)
    await count(nas, '2026-04-01T12:00', 2_000)
    for (const [at, queries] of [
      ['2026-05-12T08:31', 10],
      ['2026-05-06T00:00', 5],
    ] as const) {
      await count(home, at, queries, 'country AT')
      await count(home, at, queries + 1, 'network 64496')
    }
    await count(home, '2026-05-12T08:31', 3, 'network 0')
    await count(home, '2026-05-04T00:00', 99, 'country DE')
    const summary = await summaryOf()
    expect(summary).toEqual({
      total_queries_24h: 110,
      total_queries_7d: 1_160,
      total_queries_30d: 1_167,
      query_trend: 'up',
      trend_percent: 100,
      trend_percent_7d: null,
      // The thirty days before today.
      trend_percent_30d: -42.1,
      queries_by_domain: [
        { domain_id: nas, fqdn: fqdn('nas'), queries: 1_007 },
        { domain_id: home, fqdn: fqdn('home'), queries: 160 },
      ],
      top_countries: [{ country_code: 'AT', queries: 15 }],
      top_asns: [
        { asn: 64_496, as_org: 'Example Net', queries: 17 },
        { asn: 0, as_org: '', queries: 3 },
      ],
      counted_until: '2026-05-12T08:31:55.000Z',
    })
    expect((await get('/api/dns-analytics/summary')).json()).toEqual(summary)
  })

  test('before there is any data, and without the queries of others', async () => {
    const bob = await person('bob', 'pro')
    await count(await domainOf(bob, 'bob'), '2026-05-12T08:00', 5)
    expect(await summaryOf()).toMatchObject({
      total_queries_24h: 0,
      total_queries_30d: 0,
      query_trend: 'stable',
      trend_percent: null,
      queries_by_domain: [],
      top_countries: [],
    })
    expect(await summaryOf(bob)).toMatchObject({ total_queries_24h: 5 })
  })

  test('plans without DNS analytics get the totals only', async () => {
    const eve = await person('eve', 'free')
    const id = await domainOf(eve, 'eve')
    await count(id, '2026-05-12T08:00', 5)
    await count(id, '2026-05-12T08:00', 5, 'country AT')
    expect(await summaryOf(eve)).toMatchObject({
      total_queries_24h: 5,
      queries_by_domain: [],
      top_countries: [],
      top_asns: [],
    })
    expect(problemOf(await series({}, eve))).toMatchObject({ status: 403, code: 'plan-required' })
  })
})

test('a key counts and lists only the domains of its scope', async () => {
  await count(home, '2026-05-12T08:00', 5)
  await count(nas, '2026-05-12T08:00', 7)
  const made = await call(world.app, 'POST', '/api/api-keys', {
    headers: ada.headers,
    body: { name: 'home', scope: { domains: [fqdn('home')] } },
  })
  const { key } = made.json<CreatedApiKey>()
  const scoped = { ...ada, headers: { authorization: `Bearer ${key}` } }
  expect(await summaryOf(scoped)).toMatchObject({
    total_queries_24h: 5,
    queries_by_domain: [{ domain_id: home, fqdn: fqdn('home'), queries: 5 }],
  })
  expect((await series({ resolution: '1h' }, scoped)).json()).toMatchObject({ total: 5 })
  expect(problemOf(await series({ domain_id: nas }, scoped)).status).toBe(404)
})

describe('the series', () => {
  test('has parts with the period before, and marks where an address changed', async () => {
    await count(home, '2026-05-12T08:31', 4)
    await count(nas, '2026-05-12T07:00', 6)
    await count(nas, '2026-05-11T07:00', 5)
    await query(
      world.knex,
      `insert into domain_events (domain_id, user_id, fqdn, kind, actor, happened_at, old_ipv4, new_ipv4)
       values (?, ?, ?, 'address', 'session', '2026-05-12T07:12Z', '192.0.2.1', '198.51.100.7'),
              (?, ?, ?, 'note', 'session', '2026-05-12T07:13Z', null, null)`,
      [home, ada.id, fqdn('home'), home, ada.id, fqdn('home')],
    )
    const all = (await series({ resolution: '1h' })).json<QuerySeries>()
    expect(all).toMatchObject({
      from: '2026-05-11T09:00:00.000Z',
      to: '2026-05-12T09:00:00.000Z',
      domain_id: null,
      dimension: null,
      total: 10,
      previous_total: 5,
      values: [],
      markers: [
        {
          at: '2026-05-12T07:12:00.000Z',
          domain_id: home,
          fqdn: fqdn('home'),
          address: '198.51.100.7',
        },
      ],
    })
    expect(all.parts.map(({ queries }) => queries).slice(-3)).toEqual([0, 6, 4])
    expect(all.parts.map((part) => part.is_partial).slice(-2)).toEqual([false, true])
    expect(all.previous).toHaveLength(24)
    expect(all.previous.at(-2)).toBe(5)
    const one = (await series({ domain_id: home })).json<QuerySeries>()
    expect(one).toMatchObject({ resolution: '5m', total: 4, previous_total: null, previous: [] })
    expect(one.parts).toHaveLength(288)
  })

  test('tells apart the ten most frequent values of a dimension', async () => {
    for (let n = 1; n <= 12; n += 1) {
      await count(home, '2026-05-12T08:00', n, `network ${64_495 + n}`)
    }
    await count(home, '2026-05-12T07:00', 3, 'network 64507')
    const found = (await series({ resolution: '1h', dimension: 'network' })).json<QuerySeries>()
    expect(found.values).toHaveLength(11)
    expect(found.values[0]).toEqual({ value: '64507', label: 'AS64507', queries: 15 })
    expect(found.values.at(-1)).toEqual({ value: 'other', label: 'Other', queries: 3 })
    const last = found.parts.at(-1)
    expect(last?.queries).toBe(78)
    expect(last?.values).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 3])
    expect(found.total).toBe(81)
  })

  test.each([
    [{ from: '2026-05-12T08:00:00Z', to: '2026-05-12T07:00:00Z' }],
    [{ to: '2027-05-12T08:00:00Z' }],
    [{ from: '2016-05-12T08:00:00Z' }],
    [{ from: '2026-04-12T08:00:00Z', resolution: '1h' }],
    [{ from: '2026-05-12' }],
    [{ from: '2016-12-31T23:59:60Z' }],
    [{ resolution: '1s' }],
    [{ dimension: 'type,rcode' }],
    [{ dimension: 'total' }],
  ])('%j is refused', async (search) => {
    expect(problemOf(await series(search as Record<string, string>)).status).toBe(422)
  })

  test('two dimensions are refused, and the domains of others', async () => {
    const two = await get('/api/dns-stats/series?dimension=type&dimension=rcode')
    expect(problemOf(two).status).toBe(422)
    const bob = await person('bob', 'pro')
    expect(problemOf(await series({ domain_id: home }, bob)).status).toBe(404)
  })
})

describe('the export', () => {
  test('has a row for each domain, part and value', async () => {
    await count(home, '2026-05-12T07:00', 4, 'type A')
    await count(home, '2026-05-12T08:00', 5, 'type AAAA')
    await count(nas, '2026-05-12T08:00', 6, 'type A')
    const from = '2026-05-12T07:00:00.000Z'
    const rows = (await exported({ dimension: 'type', resolution: '1h' })).json<ExportedQueries[]>()
    expect(rows).toEqual([
      { from, domain: fqdn('home'), dimension: 'type', value: 'A', queries: 4 },
      expect.objectContaining({ value: 'AAAA', queries: 5 }),
      expect.objectContaining({ domain: fqdn('nas'), queries: 6 }),
    ])
    const csv = await exported({
      dimension: 'type',
      resolution: '1h',
      format: 'csv',
      domain_id: home,
    })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="dns-queries.csv"')
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'from,domain,dimension,value,queries',
      `${from},${fqdn('home')},type,A,4`,
    ])
    expect((await exported({ domain_id: home })).json()).toEqual([])
  })

  test('continues after a page, in the middle of a part', async () => {
    await query(
      world.knex,
      `insert into queries_1h select '2026-05-12T06:00Z'::timestamptz + h * interval '1 hour', ?, 'network', n::text, n
       from generate_series(0, 1) h, generate_series(1, 2500) n`,
      [home],
    )
    const rows = (await exported({ dimension: 'network', resolution: '1h' })).json<
      ExportedQueries[]
    >()
    expect(rows).toHaveLength(5_000)
    expect(new Set(rows.map(({ from, value }) => `${from} ${value}`)).size).toBe(5_000)
  })

  test('needs the ability', async () => {
    const bob = await person('bob', 'pro')
    expect(problemOf(await get('/api/dns-stats/export', bob))).toMatchObject({
      status: 403,
      code: 'plan-required',
    })
  })
})
