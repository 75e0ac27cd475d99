/** Workers, owners and administrators change the same monitors at once. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  claimAll,
  makeMonitor,
  newRecorder,
  resultOf,
  type TestMonitor,
  recordResults,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { amendDoubtful } from './amend-doubtful.ts'
import { keepMonitors } from './keep-monitors.ts'
import { recheck, settleMonitors } from './run-monitors.ts'

const MONITORS = 24
const ROUNDS = 12

let world: FeedWorld
let knex: Knex
let ada: string
const monitors: TestMonitor[] = []

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  ada = await makeUser(knex, 'ada')
  for (let n = 0; n < MONITORS; n += 1) {
    monitors.push(await makeMonitor(knex, ada, { confirmations: 1 }))
  }
})
afterAll(() => world.end())

/** Some monitors, in any order. */
const some = () => monitors.filter(() => Math.random() < 0.5).toSorted(() => Math.random() - 0.5)

async function work(pool: Knex, name: string, rounds = 3 * ROUNDS): Promise<void> {
  const recorder = newRecorder(name)
  for (let n = 0; n < rounds; n += 1) {
    await query(
      pool,
      `update monitor_schedule set due_at = now() - interval '1 ms' where monitor_id in (
         select monitor_id from monitor_schedule where due_at is not null order by monitor_id for update skip locked)`,
    )
    const due = await claimAll(pool, recorder)
    const results = due.map(({ id }) => resultOf(id, Math.random() < 0.5 ? 'up' : 'down'))
    await recordResults(pool, recorder, results)
  }
}

/** The owner turns monitors on and off, and holds their domains as every change of them does. */
async function own(pool: Knex): Promise<void> {
  for (let n = 0; n < ROUNDS; n += 1) {
    const domainIds = some().map(({ domainId }) => domainId)
    await pool.transaction(async (trx) => {
      await query(trx, 'select from domains where id = any (?::bigint[]) order by id for update', [
        domainIds,
      ])
      await query(
        trx,
        'select from monitors where domain_id = any (?::bigint[]) order by id for update',
        [domainIds],
      )
      await query(
        trx,
        'update monitors set is_enabled = random() < 0.8 where domain_id = any (?::bigint[])',
        [domainIds],
      )
      // Both in one transaction lock the schedules in order only for a single domain, as the API has it.
      if (n % 2 === 0) await settleMonitors(trx, { domainIds })
      else await recheck(trx, domainIds)
    })
  }
}

/** An administrator pauses the account. */
async function pause(pool: Knex, userId: string): Promise<void> {
  for (let n = 0; n < ROUNDS; n += 1) {
    await pool.transaction(async (trx) => {
      await query(trx, 'select from users where id = ? for no key update', [userId])
      await query(
        trx,
        `update users set monitoring_paused_at = ?, monitoring_pause_reason = ? where id = ?`,
        n % 4 === 0 ? [new Date(), 'x', userId] : [null, null, userId],
      )
      await settleMonitors(trx, { userIds: [userId] })
    })
  }
}

async function keep(pool: Knex): Promise<void> {
  for (let n = 0; n < ROUNDS; n += 1) {
    await keepMonitors(pool)
    await amendDoubtful(pool, 'one', 60_000)
    await query(pool, 'delete from domains where id = ?', [monitors[n]?.domainId ?? ''])
  }
}

// Each interval begins where the one before it ends, and has the sums of all before it.
const FAULTS = `
  with chain as (
    select i.*, lag(i.until) over w as ended_at,
           sum(case when state = 'up' then ms else 0 end) over before as up_ms,
           sum(case when state = 'down' then ms else 0 end) over before as down_ms,
           sum(case when state = 'unknown' then ms else 0 end) over before as unknown_ms,
           row_number() over w as n
    from (select *, (extract(epoch from until - since) * 1000)::bigint as ms from monitor_intervals) as i
    window w as (partition by monitor_id order by since),
           before as (partition by monitor_id order by since rows between unbounded preceding and 1 preceding)
  )
  select * from chain
  where n > 1 and (ended_at is distinct from since or since = until
    or (up_ms, down_ms, unknown_ms) is distinct from (up_ms_before::numeric, down_ms_before::numeric, unknown_ms_before::numeric))`

test('nobody waits in a circle, and the intervals of each monitor stay one chain', async () => {
  const [one, two, three, four] = [0, 1, 2, 3].map(() => world.connectAgain()) as [
    Knex,
    Knex,
    Knex,
    Knex,
  ]
  // On a busy machine, the others can hold the monitors in all rounds.
  await work(one, 'one', 1)
  await Promise.all([work(one, 'one'), work(two, 'two'), own(three), keep(four), pause(knex, ada)])
  const [made] = await query<{ n: number }>(
    knex,
    'select count(*)::int as n from monitor_intervals',
  )
  expect(made?.n).toBeGreaterThan(0)
  expect(await query(knex, FAULTS)).toEqual([])
  const states = await query(
    knex,
    `select m.id from monitors m left join monitor_intervals i on i.monitor_id = m.id and i.until is null
     where m.state in ('up', 'down', 'unknown') and m.state is distinct from i.state`,
  )
  expect(states).toEqual([])
})
