import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import { claimAll, makeMonitor, newRecorder } from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { DESTINATION_LIMIT, postpone, takeDestinations } from './take-destinations.ts'

let world: FeedWorld
let knex: Knex

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(() => query(knex, 'delete from monitor_destinations'))

const times = (address: string, count: number) => Array.from({ length: count }, () => address)

/** Counts of one minute only: a test that runs over its end begins again. */
async function withinOneMinute<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    await query(knex, 'delete from monitor_destinations')
    const result = await run()
    const rows = await query(knex, 'select distinct minute from monitor_destinations')
    if (rows.length === 1) return result
  }
}

test('an address is checked 120 times a minute, however many workers ask', async () => {
  const other = world.connectAgain()
  const allowed = await withinOneMinute(async () => {
    const asked = Array.from({ length: 10 }, (_, n) =>
      takeDestinations(n % 2 === 0 ? knex : other, [
        ...times('192.0.2.1', 20),
        '2001:db8::1',
        ...times('198.51.100.9', 7),
      ]),
    )
    return Promise.all(asked)
  })
  const sum = (address: string) =>
    allowed.reduce((total, each) => total + (each.get(address) ?? 0), 0)
  expect(sum('192.0.2.1')).toBe(DESTINATION_LIMIT)
  expect(sum('198.51.100.9')).toBe(70)
  expect(sum('2001:db8::1')).toBe(10)
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
