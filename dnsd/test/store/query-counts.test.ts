/* Counts of queries, from the daemon to PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  type CountBatch,
  openCountWriter,
  UnknownOutcome,
} from '../../src/count-writing/count-writer.ts'
import {
  type CountedName,
  COUNTERS,
  linesOf,
  type LineTotals,
} from '../../src/query-counts/index.ts'
import { startDaemon } from '../support/daemon.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import { FACETS_OF } from '../support/question-ledger.ts'
import { requestOctets } from '../support/request-octets.ts'

const ROLE = `counter_${randomUUID().slice(0, 8)}`
const never = new AbortController().signal

let database: TestDatabase
let owner: Client
let url: string

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
afterAll(async () => {
  await owner.query(`drop role ${ROLE}`)
  await owner.end()
  await database.drop()
})

/** @param queries by value; values are of type, except these */
const countersOf = (queries: Readonly<Record<string, number>>) =>
  COUNTERS.map(([, value]) => queries[value] ?? 0)

const named = (queries: number, name = 'a.home.test'): CountedName => ({
  zone: 'home.test',
  kind: 'name',
  name,
  networks: [['192.0.2.0/24', queries]],
  counters: countersOf({ A: queries }),
})

async function writeCounts(batch: CountBatch, signal = never): Promise<LineTotals> {
  const writer = await openCountWriter(url, signal)
  return writer.write(batch).finally(() => writer.close())
}

async function countsOf(zone: string): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(
    `select concat_ws(' ', kind, name, network, queries) as text from query_counts where zone = $1 order by 1`,
    [zone],
  )
  return rows.map(({ text }) => text)
}

async function facetsOf(zone: string): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(FACETS_OF, [zone])
  return rows.map(({ line }) => line).toSorted()
}

describe('a count writer', () => {
  it('has only the permission to write', async () => {
    const names: CountedName[] = [
      {
        ...named(5),
        networks: [
          ['192.0.2.0/24', 3],
          [null, 2],
        ],
        counters: countersOf({ A: 4, MX: 1 }),
      },
      {
        ...named(5),
        kind: 'nxdomain',
        name: null,
        networks: [[null, 5]],
        counters: countersOf({ NXDOMAIN: 5 }),
      },
      { ...named(1, '*.w.home.test'), networks: [['2001:db8:1::/48', 1]] },
      { ...named(2), kind: 'nxdomain' },
    ]
    const id = randomUUID()
    expect(await writeCounts({ id, ageSeconds: 90, lines: linesOf(names) })).toEqual({
      rows: 5,
      queries: 13,
    })
    expect(await countsOf('home.test')).toEqual([
      'name *.w.home.test 2001:db8:1::/48 1',
      'name a.home.test 192.0.2.0/24 3',
      'name a.home.test 2',
      'nxdomain 5',
      'nxdomain a.home.test 192.0.2.0/24 2',
    ])
    expect(await facetsOf('home.test')).toEqual([
      '*.w.home.test type A 1',
      '- rcode NXDOMAIN 5',
      'a.home.test type A 6',
      'a.home.test type MX 1',
    ])
    const { rows: ages } = await owner.query<{ age: number }>(
      `select distinct round(extract(epoch from now() - counted_at))::int as age from query_counts`,
    )
    expect(ages[0]?.age).toBeGreaterThanOrEqual(90)
    const reader = new Client({ connectionString: url })
    await reader.connect()
    for (const sql of [
      'select * from query_counts',
      'delete from query_counts',
      'select * from query_count_batches',
      'select * from query_facets',
      'delete from live_queries',
      'select * from live_watches',
      'select * from queries_1h',
    ]) {
      await expect(reader.query(sql)).rejects.toThrow(/permission denied/)
    }
    await reader.end()
  })

  it('has the counters of the database, in its order', async () => {
    const { rows } = await owner.query<{ dimension: string; value: string }>(
      'select dimension, value from query_facet_values order by place',
    )
    expect(rows.map(({ dimension, value }) => [dimension, value])).toEqual(COUNTERS)
  })

  it('counts a batch once, for any number of writes', async () => {
    await owner.query('delete from query_counts; delete from query_facets')
    const id = randomUUID()
    const names = Array.from({ length: 1_200 }, (_, n) => named(2, `n${n}.home.test`))
    const written = { rows: 1_200, queries: 2_400 }
    expect(await writeCounts({ id, ageSeconds: 0, lines: linesOf(names) })).toEqual(written)
    const writer = await openCountWriter(url, never)
    expect(await writer.write({ id, ageSeconds: 60, lines: linesOf(names) })).toEqual(written)
    // The connection can be used for the next batch.
    expect(
      (await writer.write({ id: randomUUID(), ageSeconds: 0, lines: linesOf([named(1)]) })).rows,
    ).toBe(1)
    writer.close()
    expect(await countsOf('home.test')).toHaveLength(1_201)
    expect(await facetsOf('home.test')).toHaveLength(1_201)
  })

  it('after it was aborted or lost, it has written nothing', async () => {
    await owner.query('delete from query_counts; delete from query_facets')
    const given = new AbortController()
    const id = randomUUID()
    function* names() {
      for (let n = 0; n < 1_200; n++) yield named(1, `n${n}.home.test`)
      given.abort()
    }
    const aborted = writeCounts({ id, ageSeconds: 0, lines: linesOf(names()) }, given.signal)
    await expect(aborted).rejects.toThrow('given up')
    function* damaged() {
      yield* names()
      throw new Error('the file is damaged')
    }
    const writer = await openCountWriter(url, never)
    await expect(writer.write({ id, ageSeconds: 0, lines: linesOf(damaged()) })).rejects.toThrow(
      'damaged',
    )
    expect(await countsOf('home.test')).toEqual([])
    expect((await writer.write({ id, ageSeconds: 0, lines: linesOf([named(1)]) })).rows).toBe(1)
    writer.close()
    expect(await countsOf('home.test')).toHaveLength(1)
  })

  it('reports that the outcome is unknown', async () => {
    await owner.query(`
      create function wait_at_commit() returns trigger language plpgsql as $$
        begin perform pg_sleep(30); return null; end $$;
      create constraint trigger slow after insert on query_count_batches
        deferrable initially deferred for each row execute function wait_at_commit()`)
    const written = writeCounts({ id: randomUUID(), ageSeconds: 0, lines: linesOf([named(1)]) })
    const outcome = written.catch((error: unknown) => error)
    for (let ended = 0; ended === 0;) {
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and query = 'commit' and state = 'active'`,
        [ROLE],
      )
      ended = rowCount ?? 0
    }
    expect(await outcome).toBeInstanceOf(UnknownOutcome)
    await owner.query('drop trigger slow on query_count_batches')
  })
})

/** Sends one query over TCP. @returns the response */
async function askOverTcp(port: number, name: string): Promise<void> {
  const packet = requestOctets(name, 'A')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(packet.length)
  const socket = connect(port, '127.0.0.1')
  const answered = new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve())
    socket.once('error', reject)
  })
  socket.write(Buffer.concat([length, packet]))
  await answered
  socket.destroy()
}

it('a daemon that stops has written its counts, over UDP and TCP', async () => {
  const writer = await FeedWriter.connect(database.url)
  const zoneId = await writer.addZone('counted.test')
  await writer.setAddress(zoneId, 'a.counted.test', '192.0.2.1')
  const folder = mkdtempSync(join(tmpdir(), 'homing-counts-'))
  const daemon = await startDaemon(folder, { DATABASE_URL: url, DNS_WORKERS: '2' })
  try {
    await daemon.ready
    // It sends one query: a query that is repeated because the response is late would be counted again.
    const resolver = new Resolver({ timeout: 20_000, tries: 1 })
    resolver.setServers([`127.0.0.1:${daemon.port}`])
    for (let time = 0; time < 5; time++) await resolver.resolve4('a.counted.test')
    await expect(resolver.resolve4('none.counted.test')).rejects.toThrow(/ENOTFOUND/)
    await expect(resolver.resolve4('outside.test')).rejects.toThrow(/EREFUSED/)
    await askOverTcp(daemon.port, 'A.counted.test')
    daemon.process.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
  } finally {
    daemon.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    await writer.end()
  }
  const byName = await owner.query<{ text: string }>(
    `select concat_ws(' ', kind, name, network, sum(queries)) as text from query_counts
     where zone = 'counted.test' group by kind, name, network order by 1`,
  )
  expect(byName.rows.map(({ text }) => text)).toEqual([
    'name a.counted.test 127.0.0.0/24 6',
    'nxdomain 1',
  ])
})
