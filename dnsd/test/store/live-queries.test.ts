/* Queries for watched names, from the answering thread to PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { HotPath, OUTCOME } from '../../src/hot-path/index.ts'
import { LiveFeed } from '../../src/live-queries/index.ts'
import { TYPE } from '../../src/names/index.ts'
import {
  createCountTable,
  createLiveMemory,
  LiveRing,
  QueryCounter,
} from '../../src/query-counts/index.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'

const ROLE = `live_${randomUUID().slice(0, 8)}`
const LOOK_MS = 5

let database: TestDatabase
let owner: Client
let url: string
const feeds: LiveFeed[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  owner = new Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(`create role ${ROLE} login password 'x' in role homing_dnsd`)
  const own = new URL(database.url)
  own.username = ROLE
  own.password = 'x'
  url = own.href
})
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()))
  await owner.query('delete from live_watches')
  await owner.query('delete from live_queries')
})
afterAll(async () => {
  await owner.query(`drop role ${ROLE}`)
  await owner.end()
  await database.drop()
})

/** A daemon with one answering thread. */
function daemon(name: string) {
  const zone = zoneFromText('home.test.', 'a 60 A 192.0.2.1\nb 60 A 192.0.2.2')
  zonesOf(zone)
  const reader = zone.table
  const hot = new HotPath(reader)
  const table = createCountTable('udp')
  const memory = createLiveMemory()
  const counter = new QueryCounter({ table, reader, hot, seed: 7, live: new LiveRing(memory) })
  const told: string[] = []
  const feed = new LiveFeed({
    threads: [{ ring: new LiveRing(memory), table }],
    reader,
    url: () => url,
    identity: () => name,
    everyMs: LOOK_MS,
    events: {
      liveWritten: (rows, queries) => told.push(`written ${rows} ${queries}`),
      liveFailed: (why) => told.push(why.message),
    },
  })
  feed.start()
  feeds.push(feed)
  const ask = (qname: string, times = 1) => {
    const packet = requestOctets(qname, 'A')
    const client = { family: 4, words: Int32Array.of(0x7f000001, 0, 0, 0) } as const
    for (let time = 0; time < times; time++) {
      hot.locate(packet, packet.length)
      counter.count(client, TYPE.A, OUTCOME.DATA)
    }
  }
  return { feed, told, ask }
}

async function watch(name: string, until: string): Promise<void> {
  await owner.query(`insert into live_watches values ($1, $2, now() + $3::interval)`, [
    randomUUID(),
    name,
    until,
  ])
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(LOOK_MS)
}

it('two daemons show queries for a watched name, and stop when nobody watches', async () => {
  const [one, two] = [daemon('one'), daemon('two')]
  one.ask('a.home.test')
  await watch('a.home.test', '1 hour')
  await watch('b.home.test', '-1 second')
  await watch('not..a name', '1 hour')
  await until(() => one.feed.watched === 1 && two.feed.watched === 1)
  one.ask('a.home.test')
  one.ask('b.home.test')
  two.ask('x.a.home.test')
  await until(() => one.told.length > 0 && two.told.length > 0)
  const { rows } = await owner.query(
    `select name, qname, type, rcode, transport, network::text, sample, dnsd, at > now() - interval '1 minute' as recent
     from live_queries order by dnsd`,
  )
  const common = { type: 'A', rcode: 'NOERROR', transport: 'udp', network: '127.0.0.0/24' }
  const a = { ...common, name: 'a.home.test', sample: 1, recent: true }
  expect(rows).toEqual([
    { ...a, qname: 'a.home.test', dnsd: 'one' },
    { ...a, qname: 'x.a.home.test', dnsd: 'two' },
  ])
  await owner.query('delete from live_watches')
  await until(() => one.feed.watched === 0)
  one.ask('a.home.test')
  await watch('a.home.test', '1 hour')
  await until(() => one.feed.watched === 1)
  one.ask('a.home.test')
  await until(() => one.told.length > 1)
  expect(one.told).toEqual(['written 1 1', 'written 1 1'])
})

it('writes at most 200 rows at once, which say how many queries they stand for', async () => {
  const { feed, told, ask } = daemon('one')
  await watch('home.test', '1 hour')
  await until(() => feed.watched === 1)
  ask('a.home.test', 5_000)
  await until(() => told.length > 0)
  expect(told).toEqual(['written 187 5000'])
  const { rows } = await owner.query('select sample, count(*)::int from live_queries group by 1')
  expect(rows).toEqual([{ sample: 27, count: 187 }])
})

it('reports once that it does not work, and watches nothing then', async () => {
  await owner.query('alter view live_watch rename to hidden')
  const { feed, told } = daemon('one')
  await until(() => told.length > 0)
  expect(told).toEqual(['relation "live_watch" does not exist'])
  await owner.query('alter view hidden rename to live_watch')
  expect(feed.watched).toBe(0)
})
