import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../test/support/feed-world.ts'
import {
  end,
  expectForwardFeedEqualsTables,
  OWNER,
  presentForward,
  publishedDomain,
  start,
  STEALTH,
  withHeldDomain,
} from '../../test/support/forward-world.ts'
import { query } from '../database/sql.ts'
import type { WebForwardRow } from '../models/web-forward.ts'
import { applyAccountPlan } from './account-plan.ts'
import { accountsWithOtherFlags, stealthFlags } from './forward-flags.ts'
import { changeForward } from './forwards.ts'
import { FIRST, accountsAfter, settleAccounts } from './plan-accounts.ts'
import type { DomainRow } from './rows.ts'

let world: FeedWorld
let knex: Knex
let people = 0
let ada: string

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await makeUser(knex, `ada${people}`)
  await limit(10)
})

const limit = (flags: number) =>
  query(knex, `update plans set stealth_flag_limit = ? where account_type = 'pro'`, [flags])

async function stealthDomains(count: number): Promise<[DomainRow, WebForwardRow][]> {
  const made: [DomainRow, WebForwardRow][] = []
  for (let n = 0; n < count; n += 1) {
    const domain = await publishedDomain(knex, ada, `n${n}.ada${people}.homing.test`)
    made.push([domain, await start(knex, domain, STEALTH)])
  }
  return made
}

/** The fallback of each forward, the oldest first, and what the feed says of it. */
async function states() {
  const rows = await query<{ fallback: string | null; type: string }>(
    knex,
    `select f.fallback, t.forward ->> 'type' as type
     from web_forwards f join domains d on d.id = f.domain_id left join forward_target t on t.name = d.fqdn
     where f.user_id = ? order by f.id`,
    [ada],
  )
  return rows.map(({ fallback, type }) => `${type} ${fallback}`)
}

const applyPlan = () => knex.transaction((trx) => applyAccountPlan(trx, ada))

test('a smaller plan makes redirects of the newest, and a larger one brings them back', async () => {
  await stealthDomains(3)
  await limit(1)
  expect(await applyPlan()).toEqual({ isWhole: true })
  expect(await states()).toEqual(['stealth null', 'redirect plan', 'redirect plan'])
  expect(await stealthFlags(knex, ada)).toEqual({ used: 1, limit: 1 })
  await limit(2)
  await applyPlan()
  expect(await states()).toEqual(['stealth null', 'stealth null', 'redirect plan'])
  await expectForwardFeedEqualsTables(knex)
})

test('a flag that gets free goes to the oldest without one', async () => {
  const [[first, forward] = []] = await stealthDomains(3)
  if (first === undefined || forward === undefined) throw new Error('no forwards')
  await limit(1)
  await applyPlan()
  await end(knex, first, forward)
  expect(await states()).toEqual(['stealth null', 'redirect plan'])
})

test('a forward that falls back for another reason uses no flag, and gets one again if one is free', async () => {
  await limit(1)
  const [[first, forward] = []] = await stealthDomains(2)
  if (first === undefined || forward === undefined) throw new Error('no forwards')
  const examined = (fallback: 'frames-refused' | null) =>
    withHeldDomain(knex, first, async (trx, base) =>
      changeForward(trx, base, await presentForward(trx, forward), { fallback }, OWNER),
    )
  await examined('frames-refused')
  expect(await states()).toEqual(['redirect frames-refused', 'stealth null'])
  // The oldest has the flag again.
  expect(await examined(null)).toMatchObject({ fallback: null })
  expect(await states()).toEqual(['stealth null', 'redirect plan'])
})

test('a stealth forward that is edited keeps its flag', async () => {
  await limit(1)
  const [[first, forward] = []] = await stealthDomains(1)
  if (first === undefined || forward === undefined) throw new Error('no forwards')
  const after = await withHeldDomain(knex, first, (trx, base) =>
    changeForward(trx, base, forward, { title: 'Other' }, OWNER),
  )
  expect(after).toMatchObject({ title: 'Other', fallback: null })
})

test('the flags are exact when forwards are started at once', async () => {
  await limit(3)
  const domains: DomainRow[] = []
  for (let n = 0; n < 8; n += 1) {
    domains.push(await publishedDomain(knex, ada, `p${n}.ada${people}.homing.test`))
  }
  await Promise.all(domains.map((domain) => start(knex, domain, STEALTH)))
  expect(await stealthFlags(knex, ada)).toEqual({ used: 3, limit: 3 })
})

test('a change of the plan finds accounts of which only the flags differ', async () => {
  await stealthDomains(2)
  await limit(1)
  expect(await accountsWithOtherFlags(knex, [ada])).toEqual([ada])
  await settleAccounts(knex, await accountsAfter(knex, 'pro', FIRST))
  expect(await states()).toEqual(['stealth null', 'redirect plan'])
  expect(await accountsWithOtherFlags(knex, [ada])).toEqual([])
})
