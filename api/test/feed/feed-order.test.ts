/** The feed under hostile timing: at every moment, a follower must have exactly what was committed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextSerial } from '@homing/dnsd/names'
import { AddressCoalescer } from '../../src/feed/coalescer.ts'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publish } from '../../src/feed/publish.ts'
import { query } from '../../src/database/sql.ts'
import { byForm } from '../../../test/test-form.ts'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  type ToldSet,
  zoneId,
} from '../support/feed-world.ts'

let world: FeedWorld
let zone: string
let user: string

beforeEach(async () => {
  world = await openFeedWorld()
  zone = await zoneId(world.knex)
  user = await makeUser(world.knex, 'ada')
})
afterEach(() => world.end())

/** A generator of numbers in 0…1 from a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The errors in the chain of a zone's sets: a gap, a wrong order, a token that does not match. */
function breaks(sets: readonly ToldSet[]): bigint[] {
  return sets
    .filter((set, n) => {
      const before = sets[n - 1]
      if (before === undefined) return false
      return set.serial !== nextSerial(before.serial) || set.previousToken !== before.token
    })
    .map((set) => set.serial)
}

/**
 * Follows the feed while it is written, like dnsd: all serials above the last one.
 * Returns the serials in the order in which they were read.
 */
async function follow(knex: Knex, from: bigint, signal: AbortSignal): Promise<bigint[]> {
  const seen: bigint[] = []
  let last = from
  for (let isLast = false; !isLast;) {
    isLast = signal.aborted
    const rows = await query<{ serial: string }>(
      knex,
      'select distinct serial from dns_change where zone_id = ? and serial > ? order by serial',
      [zone, last.toString()],
    )
    for (const { serial } of rows) seen.push(BigInt(serial))
    last = seen.at(-1) ?? last
    await delay(1)
  }
  return seen
}

/** The randomness of the 50 writers: what each transaction does, and how long it waits before it ends. */
async function writeAtRandom(pool: Knex, ids: readonly string[], seed: number): Promise<string[]> {
  const random = randomOf(seed)
  const pick = () => ids[Math.floor(random() * ids.length)] ?? ''
  const outcomes: string[] = []
  for (let n = 0; n < 20; n += 1) {
    const chosen = [pick(), pick()]
    const address = `10.${seed}.${n}.${Math.floor(random() * 250)}`
    const fate = random()
    try {
      await pool.transaction(async (trx) => {
        const rows = await lockDomains(trx, chosen)
        await query(trx, 'update domains set record_ipv4 = ? where id = any (?::bigint[])', [
          address,
          chosen,
        ])
        await publish(trx, [{ zoneId: zone, owners: rows.map((row) => row.fqdn) }])
        await delay(random() * 4)
        if (fate < 0.2) throw new Error('rolled back')
        if (fate < 0.3) await query(trx, 'select pg_terminate_backend(pg_backend_pid())')
      })
      outcomes.push('committed')
    } catch (error) {
      outcomes.push(fate < 0.2 ? 'rolled back' : fate < 0.3 ? 'killed' : String(error))
    }
  }
  return outcomes
}

test('50 writers with random delays, rollbacks and killed connections: no gap, no reordering, the feed equals the tables', async () => {
  const ids: string[] = []
  for (let n = 0; n < 40; n += 1) {
    const fqdn = `n${n}.homing.test`
    ids.push((await insertDomain(world.knex, { userId: user, fqdn })).id)
  }
  await world.knex.transaction((trx) =>
    publish(trx, [{ zoneId: zone, owners: ids.map((_, n) => `n${n}.homing.test`) }]),
  )
  const begun = (await toldSets(world.knex, zone)).at(-1)?.serial ?? 0n
  const stop = new AbortController()
  const following = follow(world.knex, begun, stop.signal)

  // Long lock waits are intended here: fifty transactions wait for one serial.
  const limits = { lockMs: 60_000, statementMs: 60_000, idleInTransactionMs: 60_000 }
  const pools = Array.from({ length: 5 }, () => world.connectAgain({ limits, maxConnections: 10 }))
  // On a busy machine, fifty simultaneous connects take longer than the normal time limit.
  for (const pool of pools) {
    await Promise.all(Array.from({ length: 10 }, () => query(pool, 'select 1')))
  }
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, seed) =>
      writeAtRandom(pools[seed % 5] ?? world.knex, ids, seed + 1),
    ),
  )
  stop.abort()

  const counts = Map.groupBy(outcomes.flat(), (outcome) => outcome)
  expect([...counts.keys()].sort()).toEqual(['committed', 'killed', 'rolled back'])
  const sets = (await toldSets(world.knex, zone)).filter((set) => set.serial > begun)
  expect(sets).toHaveLength(counts.get('committed')?.length ?? 0)
  expect(breaks(await toldSets(world.knex, zone))).toEqual([])
  expect(await following).toEqual(sets.map((set) => set.serial))
  expect(replay(await toldSets(world.knex, zone))).toEqual(await tableState(world.knex, zone))
})

/** Sets the address of the domain, or the TXT set beside it, and publishes with `tell`. */
type Tell = (trx: Knex.Transaction, owner: string) => Promise<unknown>

const OWNER = 'both.homing.test'

async function addressAndText(rounds: number, tell: Tell): Promise<void> {
  const { id } = await insertDomain(world.knex, { userId: user, fqdn: OWNER, ipv4: '10.0.0.0' })
  await query(
    world.knex,
    `insert into records (zone_id, domain_id, owner, type, ttl, rdata, origin) values (?, ?, ?, 'TXT', 60, '{"0"}', 'import')`,
    [zone, id, OWNER],
  )
  // The writers lock different rows: only the serial makes them wait for each other.
  const statements = [
    (n: number) => ({
      sql: 'update domains set record_ipv4 = ?::inet where id = ?',
      bindings: [`10.0.${n >> 8}.${n & 255}`, id],
    }),
    (n: number) => ({
      sql: 'update records set rdata = ? where domain_id = ?',
      bindings: [[`"${n}"`], id],
    }),
  ]
  await Promise.all(
    statements.map(async (statement) => {
      const pool = world.connectAgain({ maxConnections: 1 })
      for (let n = 1; n <= rounds; n += 1) {
        await pool.transaction(async (trx) => {
          const { sql, bindings } = statement(n)
          await query(trx, sql, bindings)
          await tell(trx, OWNER)
        })
      }
    }),
  )
}

const publishOwner: Tell = (trx, owner) => publish(trx, [{ zoneId: zone, owners: [owner] }])

/**
 * The mistake to avoid: the serial and the state in one statement, whose snapshot is older than its wait for the lock.
 */
const publishInOneStatement: Tell = (trx, owner) =>
  query(
    trx,
    `with taken as (
       update zone_serials set serial = serial + 1, previous_token = token, token = gen_random_uuid()
       where zone_id = ? returning *
     )
     insert into zone_changes
     select taken.zone_id, taken.serial, s.owner, s.rrsets, taken.token, taken.previous_token, clock_timestamp()
     from taken, owner_states(taken.zone_id, ?::text[]) as s`,
    [zone, [owner]],
  )

/** Rounds in which a set has an older address or text than the set before it. */
function steps(sets: readonly ToldSet[]): { back: number; total: number } {
  let back = 0
  let last = [0, 0]
  for (const set of sets) {
    const [a, txt] = (set.owners.get(OWNER) ?? []) as { rdata: [string] }[]
    const [, , high = 0, low = 0] = (a?.rdata[0] ?? '').split('.').map(Number)
    const now = [high * 256 + low, Number(txt?.rdata[0].replaceAll('"', ''))]
    if (now.some((value, n) => value < (last[n] ?? 0))) back += 1
    last = now
  }
  return { back, total: sets.length }
}

/** One statement for serial and state, below, publishes stale states within 500 rounds. */
const ROUNDS = byForm({ short: 400, long: 10_000 })

test(`address and TXT of one owner from two connections, ${ROUNDS} rounds: the feed equals the tables and never goes back`, async () => {
  const before = (await toldSets(world.knex, zone)).length
  await addressAndText(ROUNDS, publishOwner)
  const sets = await toldSets(world.knex, zone)
  expect(breaks(sets)).toEqual([])
  expect(steps(sets.slice(before))).toEqual({ back: 0, total: 2 * ROUNDS })
  expect(replay(sets)).toEqual(await tableState(world.knex, zone))
}, 600_000)

const BATCHES = byForm({ short: 120, long: 2_000 })

test(`the same with the coalescer as one of the writers, ${BATCHES} rounds: a batch in one statement publishes no older state`, async () => {
  const { id } = await insertDomain(world.knex, { userId: user, fqdn: OWNER, ipv4: '10.0.0.0' })
  await world.knex.transaction((trx) => publishOwner(trx, OWNER))
  await query(
    world.knex,
    `insert into records (zone_id, domain_id, owner, type, ttl, rdata, origin) values (?, ?, ?, 'TXT', 60, '{"0"}', 'import')`,
    [zone, id, OWNER],
  )
  const coalescer = new AddressCoalescer({ knex: world.connectAgain({ maxConnections: 1 }) })
  const actor = { kind: 'system', id: null, sourceIp: null, client: null } as const
  const before = (await toldSets(world.knex, zone)).length
  const addresses = async () => {
    for (let n = 1; n <= BATCHES; n += 1) {
      const ipv4 = `10.0.${n >> 8}.${n & 255}`
      const verdict = await coalescer.submit({ domainId: id, userId: user, ipv4, actor })
      expect(verdict.kind).toBe('changed')
    }
  }
  const texts = async () => {
    const pool = world.connectAgain({ maxConnections: 1 })
    for (let n = 1; n <= BATCHES; n += 1) {
      await pool.transaction(async (trx) => {
        await query(trx, 'update records set rdata = ? where domain_id = ?', [[`"${n}"`], id])
        await publishOwner(trx, OWNER)
      })
    }
  }
  await Promise.all([addresses(), texts()])
  const sets = await toldSets(world.knex, zone)
  expect(breaks(sets)).toEqual([])
  expect(steps(sets.slice(before))).toEqual({ back: 0, total: 2 * BATCHES })
  expect(replay(sets)).toEqual(await tableState(world.knex, zone))
}, 600_000)

test('the same with serial and state in one statement publishes stale states, so two statements are necessary', async () => {
  await addressAndText(500, publishInOneStatement)
  const sets = (await toldSets(world.knex, zone)).filter((set) => set.owners.has(OWNER))
  expect(steps(sets).back).toBeGreaterThan(0)
})
