import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import type { NetworkOrigins } from '../integrations/network-origins.ts'
import { query } from '../database/sql.ts'
import { expireLiveQueries } from './expire-live-queries.ts'
import { rollUpFacets } from './roll-up-facets.ts'
import { rollUpQueries } from './roll-up-queries.ts'

const HOME = 'homing.test'
const ORIGINS: NetworkOrigins = {
  originOf(network) {
    const number = Number(network.split('.')[2])
    return network.startsWith('192.0.')
      ? { country: 'NL', asn: 64_500, organisation: 'Example, Inc.' }
      : { country: 'JP', asn: 65_000 + number, organisation: '' }
  },
}
const origins = async () => ORIGINS

let world: FeedWorld

beforeEach(async () => {
  world = await openFeedWorld()
  const userId = await makeUser(world.knex, 'ada')
  for (const fqdn of [`a.${HOME}`, `b.${HOME}`, `sub.a.${HOME}`]) {
    await insertDomain(world.knex, { userId, fqdn })
  }
})
afterEach(() => world.end())

interface Count {
  readonly name?: string
  readonly network?: string
  readonly queries?: number
  readonly kind?: string
  readonly at?: string
}

async function count(...counts: readonly Count[]): Promise<void> {
  for (const { name, network, queries = 1, kind = 'name', at = '2030-01-01T10:20:30Z' } of counts) {
    await query(
      world.knex,
      `insert into query_counts (counted_at, zone, kind, name, network, queries) values (?, ?, ?, ?, ?, ?)`,
      [at, HOME, kind, name ?? null, network ?? null, queries],
    )
  }
}

/** The totals of a table by the name of their domain. */
async function rowsOf(resolution: '5m' | '1h' | '1d', ...dimensions: string[]): Promise<string[]> {
  const rows = await query<{ text: string }>(
    world.knex,
    `select concat_ws(' ', to_char(at at time zone 'UTC', 'DD"T"HH24:MI'), fqdn, nullif(dimension, 'total'), nullif(value, ''), queries) as text
     from queries_${resolution} t join domains d on d.id = t.domain_id where dimension = any (?) order by 1`,
    [dimensions],
  )
  return rows.map(({ text }) => text)
}

const zoneRows = (...dimensions: string[]) =>
  query<{ dimension: string; value: string; queries: string }>(
    world.knex,
    `select dimension, value, queries from zone_queries_1d where dimension = any (?) order by dimension, value`,
    [dimensions],
  )

test('counts are added up by five minutes, hour and day: in all, by country and by network', async () => {
  const { knex } = world
  await count(
    { name: `a.${HOME}`, network: '192.0.2.0/24', queries: 3 },
    { name: `a.${HOME}`, network: '198.51.100.0/24', queries: 2 },
    { name: `a.${HOME}`, network: '198.51.100.0/24', queries: 1, at: '2030-01-01T10:59:59Z' },
    { name: `a.${HOME}`, network: '192.0.2.0/24', queries: 5, at: '2030-01-01T11:00:00Z' },
    { name: `b.${HOME}`, queries: 7 },
  )
  expect(await rollUpQueries(knex, origins)).toBe(18)
  expect(await rowsOf('5m', 'total')).toEqual([
    `01T10:20 a.${HOME} 5`,
    `01T10:20 b.${HOME} 7`,
    `01T10:55 a.${HOME} 1`,
    `01T11:00 a.${HOME} 5`,
  ])
  expect(await rowsOf('1h', 'total')).toEqual([
    `01T10:00 a.${HOME} 6`,
    `01T10:00 b.${HOME} 7`,
    `01T11:00 a.${HOME} 5`,
  ])
  expect(await rowsOf('1d', 'total')).toEqual([`01T00:00 a.${HOME} 11`, `01T00:00 b.${HOME} 7`])
  expect(await rowsOf('1h', 'country')).toEqual([
    `01T10:00 a.${HOME} country JP 3`,
    `01T10:00 a.${HOME} country NL 3`,
    `01T10:00 b.${HOME} country ZZ 7`,
    `01T11:00 a.${HOME} country NL 5`,
  ])
  expect(await rowsOf('1d', 'network')).toEqual([
    `01T00:00 a.${HOME} network 64500 8`,
    `01T00:00 a.${HOME} network 65100 3`,
    `01T00:00 b.${HOME} network 0 7`,
  ])
  expect(await zoneRows('total', 'country')).toEqual([
    { dimension: 'country', value: 'JP', queries: '3' },
    { dimension: 'country', value: 'NL', queries: '8' },
    { dimension: 'country', value: 'ZZ', queries: '7' },
    { dimension: 'total', value: '', queries: '18' },
  ])
  expect(await query(knex, 'select asn::int, organisation from autonomous_systems')).toEqual([
    { asn: 64_500, organisation: 'Example, Inc.' },
  ])
  // Of the client's network, only the country remains.
  expect(await query(knex, 'select from query_counts')).toEqual([])
  await count({ name: `a.${HOME}`, network: '192.0.2.0/24', queries: 10 })
  await rollUpQueries(knex, origins)
  expect(await rowsOf('1h', 'total')).toContain(`01T10:00 a.${HOME} 16`)
})

test('queries below a domain count for the closest one; names without an owner count for the zone', async () => {
  await count(
    { name: `_acme-challenge.a.${HOME}` },
    { name: `*.a.${HOME}`, queries: 2 },
    { name: `x.y.sub.a.${HOME}`, queries: 4 },
    { name: `ns1.${HOME}`, queries: 8 },
    { name: HOME, queries: 16 },
    { kind: 'nxdomain', queries: 32 },
    { kind: 'other', queries: 64 },
  )
  await rollUpQueries(world.knex, origins)
  expect(await rowsOf('1h', 'total')).toEqual([`01T10:00 a.${HOME} 3`, `01T10:00 sub.a.${HOME} 4`])
  expect(await zoneRows('kind')).toEqual([
    { dimension: 'kind', value: 'name', queries: '31' },
    { dimension: 'kind', value: 'nxdomain', queries: '32' },
    { dimension: 'kind', value: 'other', queries: '64' },
  ])
})

test('missing names below a domain count for it, with their zone', async () => {
  await count(
    { kind: 'nxdomain', name: `x.a.${HOME}`, queries: 3 },
    { kind: 'nxdomain', queries: 4 },
  )
  await rollUpQueries(world.knex, origins)
  expect(await rowsOf('1h', 'total')).toEqual([`01T10:00 a.${HOME} 3`])
  expect(await zoneRows('kind')).toEqual([{ dimension: 'kind', value: 'nxdomain', queries: '7' }])
})

test('types and outcomes are added up for the closest domain and the zone, and no row stays', async () => {
  const facet = async (name: string | null, value: string, queries: number, at = '10:20') =>
    query(
      world.knex,
      `insert into query_facets
       select ?, ?, ?, array_agg(case when value = ? then ?::bigint else 0 end order by place) from query_facet_values`,
      [`2030-01-01T${at}:00Z`, HOME, name, value, queries],
    )
  await facet(`a.${HOME}`, 'A', 3)
  await facet(`*.a.${HOME}`, 'A', 2)
  await facet(`a.${HOME}`, 'NODATA', 1)
  await facet(`a.${HOME}`, 'A', 5, '11:00')
  await facet(`ns1.${HOME}`, 'A', 7)
  await facet(null, 'NXDOMAIN', 9)
  await Promise.all([rollUpFacets(world.knex), rollUpFacets(world.knex)])
  await rollUpFacets(world.knex)
  expect(await rowsOf('1h', 'type', 'rcode')).toEqual([
    `01T10:00 a.${HOME} rcode NODATA 1`,
    `01T10:00 a.${HOME} type A 5`,
    `01T11:00 a.${HOME} type A 5`,
  ])
  expect(await rowsOf('1d', 'type')).toEqual([`01T00:00 a.${HOME} type A 10`])
  expect(await zoneRows('type', 'rcode')).toEqual([
    { dimension: 'rcode', value: 'NODATA', queries: '1' },
    { dimension: 'rcode', value: 'NXDOMAIN', queries: '9' },
    { dimension: 'type', value: 'A', queries: '17' },
  ])
  expect(await query(world.knex, 'select from query_facets')).toEqual([])
})

test('queries of the live view are deleted after two minutes, and watchers when they have left', async () => {
  const { knex } = world
  await query(
    knex,
    `insert into live_queries select now() - make_interval(secs => s), 'z', 'n', 'n', 'A', 'NOERROR', 'udp', '192.0.2.0/24', 1, 'd'
     from unnest(array[60, 119, 121, 600]) as s`,
  )
  await query(
    knex,
    `insert into live_watches values (?, 'a', now() + interval '1 minute'), (?, 'b', now() - interval '1 second')`,
    [randomUUID(), randomUUID()],
  )
  await expireLiveQueries(knex)
  expect(await query(knex, 'select from live_queries')).toHaveLength(2)
  expect(await query(knex, 'select name from live_watches')).toEqual([{ name: 'a' }])
})

test('forged sources from everywhere do not fill the table, and known networks stay', async () => {
  const from = (third: number, queries: number) => ({
    name: `a.${HOME}`,
    network: `10.0.${third}.0/24`,
    queries,
  })
  await count(from(0, 1))
  await rollUpQueries(world.knex, origins)
  await count(...Array.from({ length: 250 }, (_, n) => from(n, n + 1)))
  await rollUpQueries(world.knex, origins)
  const rows = await rowsOf('1h', 'network')
  // The known one, the twenty largest, and all others together.
  expect(rows).toHaveLength(22)
  expect(rows).toContain(`01T10:00 a.${HOME} network 65000 2`)
  expect(rows).toContain(`01T10:00 a.${HOME} network 65249 250`)
  expect(rows).toContain(`01T10:00 a.${HOME} network 0 ${(230 * 231) / 2 - 1}`)
  const zone = (await zoneRows('network')).map(({ value, queries }) => `${value} ${queries}`)
  expect(zone).toHaveLength(102)
  expect(zone).toContain('65249 250')
})

test('many rows are handled in steps, and two concurrent workers count each once', async () => {
  await query(
    world.knex,
    `insert into query_counts (counted_at, zone, kind, name, network, queries)
     select '2030-01-01T10:00:00Z', ?, 'name', ?, '192.0.2.0/24', 1 from generate_series(1, 12000)`,
    [HOME, `a.${HOME}`],
  )
  const both = await Promise.all([
    rollUpQueries(world.knex, origins),
    rollUpQueries(world.knex, origins),
  ])
  await rollUpQueries(world.knex, origins)
  expect(both[0] + both[1]).toBeLessThanOrEqual(12_000)
  expect(await rowsOf('1h', 'total')).toEqual([`01T10:00 a.${HOME} 12000`])
})

test('without counts nothing is loaded, and expired batch ids are deleted', async () => {
  const { knex } = world
  const [old, fresh] = [randomUUID(), randomUUID()]
  await query(
    knex,
    `insert into query_count_batches values (?, now() - interval '49 hours'), (?, now() - interval '47 hours')`,
    [old, fresh],
  )
  const never = () => Promise.reject(new Error('loaded for nothing'))
  expect(await rollUpQueries(knex, never)).toBe(0)
  expect(await query(knex, 'select id from query_count_batches')).toEqual([{ id: fresh }])
})

test('a failure in between leaves everything to the next run', async () => {
  await count({ name: `a.${HOME}`, network: '192.0.2.0/24', queries: 3 })
  const broken: NetworkOrigins = {
    originOf() {
      throw new Error('broken')
    },
  }
  await expect(rollUpQueries(world.knex, async () => broken)).rejects.toThrow('broken')
  expect(await rowsOf('1h', 'total')).toEqual([])
  expect(await query(world.knex, 'select from query_roll_up')).toEqual([])
  expect(await rollUpQueries(world.knex, origins)).toBe(3)
  const state =
    "select counted_until between now() - interval '1 minute' and now() as is_recent from query_roll_up"
  expect(await query(world.knex, state)).toEqual([{ is_recent: true }])
})

test('the tables use an index: domains of thirty days, countries of seven', async () => {
  const { knex } = world
  await query(
    knex,
    `insert into queries_1h select now() - make_interval(hours => h), d, 'total', '', 1
     from generate_series(1, 200) h, generate_series(1, 200) d`,
  )
  await query(knex, 'analyze queries_1h')
  const plan = await query<{ 'QUERY PLAN': string }>(
    knex,
    `explain select domain_id, sum(queries) from queries_1h
     where domain_id = any (array[1, 2, 3]::bigint[]) and dimension = 'total' and at >= now() - interval '30 days'
     group by domain_id`,
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan|Bitmap Index/)
})
