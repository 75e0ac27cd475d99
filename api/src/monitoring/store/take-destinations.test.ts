import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  checkOnce,
  claimAll,
  intervalsOf,
  letTimePass,
  makeMonitor,
  newRecorder,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import {
  ACCOUNT_LIMIT,
  DESTINATION_LIMIT,
  postpone,
  takeDestinations,
} from './take-destinations.ts'

let world: FeedWorld
let knex: Knex

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(() => query(knex, 'delete from monitor_destinations'))

const times = (address: string, count: number, userId = '7') =>
  Array.from({ length: count }, () => ({ address, userId }))

/** Counts of one minute only: a test that runs over its end begins again. */
async function withinOneMinute<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    await query(knex, 'delete from monitor_destinations')
    const result = await run()
    const rows = await query(knex, 'select distinct minute from monitor_destinations')
    if (rows.length === 1) return result
  }
}

test('an address is checked 120 times a minute, 60 times for one account, however many workers ask', async () => {
  const other = world.connectAgain()
  const allowed = await withinOneMinute(async () => {
    const asked = Array.from({ length: 10 }, (_, n) =>
      takeDestinations(n % 2 === 0 ? knex : other, [
        ...times('192.0.2.1', 20, `${n % 5}1`),
        ...times('203.0.113.5', 14),
        ...times('2001:db8::1', 4),
        ...times(`2001:db8::${n}:2`, 4),
        ...times('2001:db8:0:1::1', 2),
        ...times('198.51.100.9', 4),
      ]),
    )
    return (await Promise.all(asked)).flatMap((each) => [...each])
  })
  const count = (start: string) => allowed.filter(({ address }) => address.startsWith(start)).length
  expect(count('192.0.2.1')).toBe(DESTINATION_LIMIT)
  expect(count('203.0.113.5')).toBe(ACCOUNT_LIMIT)
  expect(count('2001:db8::')).toBe(ACCOUNT_LIMIT)
  expect(count('2001:db8:0:1::1')).toBe(20)
  expect(count('198.51.100.9')).toBe(40)
})

test('checks over the limit of their account leave the others their places', async () => {
  const allowed = await withinOneMinute(async () => {
    await takeDestinations(knex, times('192.0.2.1', 200, '1'))
    return takeDestinations(knex, times('192.0.2.1', 70, '2'))
  })
  expect(allowed.size).toBe(ACCOUNT_LIMIT)
})

test('a postponed check is due in the next minute, keeps its state and is not missed', async () => {
  const ada = await makeUser(knex, 'ada')
  const monitor = await makeMonitor(knex, ada)
  const recorder = newRecorder()
  await claimAll(knex, recorder)
  await postpone(knex, recorder.lease, [monitor.id])
  const [row] = await query<{ at: Date }>(
    knex,
    `select s.lease, m.state, s.due_at >= date_trunc('minute', now()) + interval '1 minute' as is_later,
            s.expected_by > s.due_at as is_expected_later
     from monitor_schedule s join monitors m on m.id = s.monitor_id where m.id = ?`,
    [monitor.id],
  )
  expect(row).toEqual({ lease: null, state: 'pending', is_later: true, is_expected_later: true })
})

test('a state that nobody has checked for five minutes is unknown', async () => {
  const monitor = await makeMonitor(knex, await makeUser(knex, 'bob'))
  const recorder = newRecorder()
  await checkOnce(knex, recorder, monitor.id, 'up')
  for (let minutes = 0; minutes < 8; minutes += 1) {
    await letTimePass(knex, monitor.id, 60_000)
    await query(knex, 'update monitor_schedule set due_at = least(due_at, now())')
    await claimAll(knex, recorder)
    await postpone(knex, recorder.lease, [monitor.id])
  }
  expect(await checkOnce(knex, recorder, monitor.id, 'up')).toMatchObject([{ to: 'up' }])
  const states = (await intervalsOf(knex, monitor.id)).map(({ state }) => state)
  expect(states).toEqual(['up', 'unknown', 'up'])
})
