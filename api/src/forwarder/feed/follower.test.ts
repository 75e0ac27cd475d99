/** The follower and the writer of hits on a real PostgreSQL, with the rights of the forwarder's role. */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'
import { ForwardTable } from '../forward-table.ts'
import { HitCounter } from '../hit-counter.ts'
import { HitWriter } from '../hit-writer.ts'
import { FEED_FORWARD, makeForward } from '../test-support.ts'
import { ForwardFollower } from './follower.ts'

const LOGIN = `forwarder_${randomUUID().slice(0, 8)}`
let world: FeedWorld
let knex: Knex
let url: string
beforeAll(async () => {
  world = await openFeedWorld()
  ;({ knex } = world)
  await knex.raw(`create role ?? login password 'forwarder' in role homing_forwarder`, [LOGIN])
  const own = new URL(world.url)
  own.username = LOGIN
  own.password = 'forwarder'
  url = own.href
})
afterAll(async () => {
  await knex.raw('drop role ??', [LOGIN])
  await world.end()
})

const open: { stop(): Promise<void> }[] = []
beforeEach(async () => {
  await knex.raw('delete from forward_names')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

/** Polls once an hour, so that only notifications are noticed, unless the test says otherwise. */
function follow({ pollMs = 3_600_000, table = new ForwardTable() } = {}) {
  const told: string[] = []
  const follower = new ForwardFollower({
    url: () => url,
    table,
    pollMs,
    events: {
      applied: (sets) => told.push(`applied ${sets}`),
      reread: (reason) => told.push(reason),
      skipped: (name, reason) => told.push(`${name}: ${reason}`),
      connected: () => told.push('connected'),
      lost: ({ message }) => told.push(`lost: ${message}`),
    },
  })
  follower.start()
  open.push(follower)
  return { table, follower, told }
}

interface Change {
  readonly name: string
  readonly forward?: object | null
  readonly isRemoved?: boolean
  readonly graceSeconds?: number
}

/** Writes one change set, as `publish_forwards` does. */
async function publish(changes: readonly Change[], { notify = true } = {}): Promise<void> {
  await knex.transaction(async (trx) => {
    const [set] = await query<{ serial: string; token: string; previous_token: string }>(
      trx,
      `update forward_serial set serial = serial + 1, previous_token = token, token = gen_random_uuid()
       returning serial, token, previous_token`,
    )
    for (const { name, forward = null, isRemoved = false, graceSeconds = 0 } of changes) {
      const json = forward === null ? null : JSON.stringify(forward)
      await trx.raw('delete from forward_names where name = ?', [name])
      if (!isRemoved) {
        await trx.raw('insert into forward_names (name, forward) values (?, ?)', [name, json])
      }
      await trx.raw(
        `insert into forward_changes (serial, name, forward, is_removed, grace_seconds, token, previous_token, changed_at)
         values (?, ?, ?, ?, ?, ?, ?, now())`,
        [set?.serial, name, json, isRemoved, graceSeconds, set?.token, set?.previous_token].map(
          (value) => value ?? null,
        ),
      )
    }
    if (notify) await trx.raw(`select pg_notify('homing_forwards', ?)`, [set?.serial ?? ''])
  })
}

const NAME = 'home.homing.test'

test('the first read finds what is published, and a notification brings each change', async () => {
  await publish([{ name: NAME, forward: FEED_FORWARD }, { name: 'nas.homing.test' }])
  const { table, told, follower } = follow()
  await expect.poll(() => told).toContain('connected')
  expect(table.find(NAME)).toEqual(makeForward())
  expect(table.size).toBe(2)
  await publish([{ name: NAME, forward: { ...FEED_FORWARD, status: 302 } }])
  await expect.poll(() => table.find(NAME)?.status).toBe(302)
  await publish([{ name: NAME, isRemoved: true }])
  await expect.poll(() => table.find(NAME)).toBeUndefined()
  expect(told).toEqual(['first-read', 'connected', 'applied 1', 'applied 1'])
  expect(follower.ageSeconds).toBeLessThan(60)
})

test('a poll finds changes whose notification was lost', async () => {
  const { table } = follow({ pollMs: 20 })
  await expect.poll(() => table.version).toBeDefined()
  await publish([{ name: NAME, forward: FEED_FORWARD }], { notify: false })
  await expect.poll(() => table.find(NAME)).toEqual(makeForward())
})

test('a follower with a snapshot continues from its version, also after many sets', async () => {
  const table = new ForwardTable()
  const first = follow({ table })
  await expect.poll(() => first.told).toContain('connected')
  await first.follower.stop()
  for (let n = 0; n < 5; n += 1)
    await publish([{ name: `h${n}.homing.test`, forward: FEED_FORWARD }])
  const second = follow({ table })
  await expect.poll(() => table.find('h4.homing.test')).toBeDefined()
  expect(second.told).toEqual(['applied 5', 'connected'])
})

test('a broken chain leads to a full read', async () => {
  const { table, told } = follow({ pollMs: 20 })
  await expect.poll(() => told).toContain('connected')
  await knex.raw('update forward_serial set token = gen_random_uuid()')
  await publish([{ name: NAME, forward: FEED_FORWARD }])
  await expect.poll(() => told).toContain('history-differs')
  // A poll between the two statements has read the feed without the forward.
  await expect.poll(() => table.find(NAME)).toEqual(makeForward())
  await knex.raw('update forward_serial set feed_id = gen_random_uuid()')
  await expect.poll(() => told).toContain('feed-changed')
})

test('a row that cannot be served is reported, is not forwarded, and stops no other', async () => {
  const bad = { ...FEED_FORWARD, target: 'javascript:alert(1)' }
  const { table, told } = follow()
  await expect.poll(() => told).toContain('connected')
  await publish([
    { name: NAME, forward: FEED_FORWARD },
    { name: 'bad.homing.test', forward: bad },
    { name: 'bad name', forward: FEED_FORWARD },
  ])
  await expect.poll(() => table.find(NAME)).toBeDefined()
  expect(table.find('bad.homing.test')).toBeUndefined()
  expect(told).toContain('bad.homing.test: its target is neither http nor https')
  expect(told).toContain('bad name: the name is invalid')
})

test('a lost connection is reported once and opened again', async () => {
  await publish([{ name: NAME, forward: FEED_FORWARD }])
  const { table, told } = follow()
  await expect.poll(() => told).toContain('connected')
  await knex.raw('select pg_terminate_backend(pid) from pg_stat_activity where usename = ?', [
    LOGIN,
  ])
  await expect.poll(() => told.filter((each) => each === 'connected')).toHaveLength(2)
  expect(told.filter((each) => each.startsWith('lost'))).toHaveLength(1)
  expect(table.find(NAME)).toEqual(makeForward())
})

test('the role of the forwarder can read the feed and nothing else', async () => {
  const asForwarder = world.connectAgain()
  await asForwarder.transaction(async (trx) => {
    await trx.raw('set local role homing_forwarder')
    await trx.raw('select * from forward_target')
    await expect(trx.raw('select * from web_forwards')).rejects.toThrow('permission denied')
  })
})

test('hits are stored once, and stay in memory while PostgreSQL is not available', async () => {
  const userId = await makeUser(knex, 'ada')
  const { id: domainId } = await insertDomain(knex, { userId, fqdn: NAME, ipv4: '192.0.2.1' })
  const [forward] = await query<{ id: string }>(
    knex,
    `insert into web_forwards (domain_id, user_id, target_url, forwarding_type) values (?, ?, ?, 'redirect') returning id`,
    [domainId, userId, 'https://target.example/'],
  )
  const counter = new HitCounter()
  const errors: string[] = []
  let address = 'postgresql://nobody:none@127.0.0.1:1/none'
  const writer = new HitWriter({
    url: () => address,
    counter,
    onError: ({ message }) => errors.push(message),
  })
  const day = Date.parse('2027-03-01T12:00:00Z')
  counter.count(Number(forward?.id), day)
  await writer.write()
  expect(errors).toHaveLength(1)
  expect(counter.waiting).toBe(1)
  address = url
  counter.count(Number(forward?.id), day)
  const [sent] = counter.batches()
  await writer.write()
  expect(counter.waiting).toBe(0)
  // Its answer was lost, and the same batch comes again.
  const again = new HitCounter()
  again.batches = () => (sent === undefined ? [] : [sent])
  await new HitWriter({ url: () => url, counter: again, onError: () => undefined }).write()
  const stored = await query(
    knex,
    `select day::text, hits::integer from forward_hits where forward_id = ?`,
    [forward?.id ?? ''],
  )
  expect(stored).toEqual([{ day: '2027-03-01', hits: 2 }])
})
