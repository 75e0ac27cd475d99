import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  expectFeedEqualsTables,
  type FeedWorld,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import {
  changeDomains,
  end,
  expectForwardFeedEqualsTables,
  FORWARDED,
  lastChange,
  OWN,
  OWNER,
  publishedDomain,
  servedState,
  start,
  storeForwardAddresses,
  toldForward,
  withHeldDomain,
} from '../../test/support/forward-world.ts'
import { query } from '../database/sql.ts'
import type { ForwardDisabling } from './forward-rows.ts'
import { disableForwards } from './forwards.ts'
import { lockDomains } from './lock-order.ts'
import { ownersOfDomains, publish } from './publish.ts'
import type { DomainRow } from './rows.ts'
import { addWildcard } from './wildcard.ts'

let world: FeedWorld
let knex: Knex
let ada: string
let home: DomainRow
let domains = 0

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  ada = await makeUser(knex, 'ada')
  await storeForwardAddresses(knex)
})
afterAll(() => world.end())
beforeEach(async () => {
  domains += 1
  home = await publishedDomain(knex, ada, `home${domains}.homing.test`)
})

const served = (owner: string) => servedState(knex, owner)
const told = (name: string) => toldForward(knex, name)
const change = (assignment: string, ids: readonly string[]) => changeDomains(knex, assignment, ids)

describe('the end of a forward', () => {
  test('leaves it in use for the TTL and 60 s', async () => {
    await end(knex, home, await start(knex, home))
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      forward: null,
      is_removed: true,
      grace_seconds: 120,
    })
  })

  test('is the deletion of its domain too', async () => {
    await start(knex, home)
    await knex.transaction(async (trx) => {
      await lockDomains(trx, [home.id])
      const owners = await ownersOfDomains(trx, [home.id])
      await query(trx, 'delete from domains where id = ?', [home.id])
      await publish(trx, owners)
    })
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await expectForwardFeedEqualsTables(knex)
  })

  test.each(['locked', 'owner_blocked'])('%s: at once', async (reason) => {
    await start(knex, home)
    await change(`${reason} = true`, [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    await change(`${reason} = false`, [home.id])
    expect(await told(home.fqdn)).toMatchObject({ type: 'redirect' })
    expect(await served(home.fqdn)).toEqual(FORWARDED)
  })

  test('at once even while it is still in use after its end', async () => {
    await end(knex, home, await start(knex, home))
    await change('locked = true', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    const feed = await query(knex, 'select serial from forward_feed')
    await change('ttl = 90', [home.id])
    expect(await query(knex, 'select serial from forward_feed')).toEqual(feed)
  })

  test('a pause leaves it in use like an end, and resuming brings it back', async () => {
    await start(knex, home)
    await change('paused = true', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await change('paused = false', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: false, grace_seconds: 0 })
  })

  test('an administrator stops it at once, and it runs again with the same settings', async () => {
    const forward = await start(knex, home)
    const set = (disabling?: ForwardDisabling) =>
      withHeldDomain(knex, home, (trx, base) =>
        disableForwards(trx, [{ base, before: forward, disabling }], OWNER),
      )
    expect(await set({ reason: 'Phishing.', by: ada, blockedTargetId: null })).toMatchObject([
      { disabled_reason: 'Phishing.', disabled_by: ada, is_active: true },
    ])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    expect(await served(home.fqdn)).toEqual(OWN)
    await set()
    expect(await served(home.fqdn)).toEqual(FORWARDED)
    expect(await told(home.fqdn)).toMatchObject({ target: 'https://www.example.net/' })
  })
})

describe('a wildcard', () => {
  test('is forwarded with its domain; registered names below are not', async () => {
    await publishedDomain(knex, ada, `*.${home.fqdn}`, home)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    const forward = await start(knex, home)
    expect(await served(`*.${home.fqdn}`)).toEqual(FORWARDED)
    expect(await served(below.fqdn)).toEqual(OWN)
    expect(await told(`*.${home.fqdn}`)).toMatchObject({ id: forward.id })
    expect(await told(below.fqdn)).toBeNull()

    await end(knex, home, forward)
    expect(await told(below.fqdn)).toBeUndefined()
    // It stops the wildcard for as long as the forwarder goes on with it.
    expect(await lastChange(knex, below.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await expectForwardFeedEqualsTables(knex)
  })

  test('that is created later copies the forward; a name registered then stops it', async () => {
    await start(knex, home)
    const made = await knex.transaction((trx) => addWildcard(trx, ada, home.id, OWNER))
    expect(made.kind).toBe('made')
    expect(await served(`*.${home.fqdn}`)).toEqual(FORWARDED)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    expect(await told(below.fqdn)).toBeNull()
    await change('paused = true', [below.id])
    expect(await told(below.fqdn)).toBeNull()
    await knex.transaction(async (trx) => {
      await lockDomains(trx, [below.id])
      const owners = await ownersOfDomains(trx, [below.id])
      await query(trx, 'delete from domains where id = ?', [below.id])
      await publish(trx, owners)
    })
    // The wildcard applies to it again, without a wait.
    expect(await lastChange(knex, below.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    await expectForwardFeedEqualsTables(knex)
  })

  test('a name below it whose own forward ends stays in use before it stops the wildcard', async () => {
    await publishedDomain(knex, ada, `*.${home.fqdn}`, home)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    await start(knex, home)
    const forward = await start(knex, below)
    expect(await told(below.fqdn)).toMatchObject({ id: forward.id })
    await end(knex, below, forward)
    expect(await lastChange(knex, below.fqdn)).toMatchObject({
      forward: null,
      is_removed: false,
      grace_seconds: 120,
    })
  })
})

test('two transactions that change forwards at once: one chain, and the feed equals the tables', async () => {
  const bases: DomainRow[] = []
  for (let n = 0; n < 20; n += 1) {
    const userId = await makeUser(knex, `many${n}`)
    bases.push(await publishedDomain(knex, userId, `n${n}.homing.test`))
  }
  await Promise.all(
    bases.map(async (base, n) => {
      const forward = await start(knex, base)
      if (n % 2 === 0) await end(knex, base, forward)
    }),
  )
  const states = await Promise.all(bases.map(({ fqdn }) => told(fqdn)))
  expect(states.map((state) => state !== undefined)).toEqual(bases.map((_, n) => n % 2 === 1))
  await expectForwardFeedEqualsTables(knex)
  await expectFeedEqualsTables(knex)
})
