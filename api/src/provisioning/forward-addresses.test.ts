import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  makeUser,
  openFeedWorld,
  replay,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import { publishedDomain, start } from '../../test/support/forward-world.ts'
import { untilSomebodyWaits } from '../../test/support/lock-waits.ts'
import { query } from '../database/sql.ts'
import { FIRST_FORWARD } from '../feed/forward-addresses.ts'
import { publishDomains } from '../feed/publish.ts'
import { publishForwardAddresses } from '../jobs/forward-addresses.ts'
import { JobQueue } from '../queue/job-queue.ts'
import { provideForwardAddresses } from './forward-addresses.ts'

let world: FeedWorld
let knex: Knex
let zone: string
let ada: string
let jobs: JobQueue
let names = 0

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  zone = await zoneId(knex)
  ada = await makeUser(knex, 'ada')
  jobs = new JobQueue(knex, (error) => {
    throw error
  })
})
afterAll(async () => {
  await jobs.stop()
  await world.end()
})
beforeEach(async () => {
  await query(knex, 'delete from pgboss.job')
  await query(knex, 'delete from web_forwards')
  await query(knex, 'update domains set is_forwarded = false')
})

const waiting = () => query(knex, `select name, data from pgboss.job where state = 'created'`)
const stored = async () =>
  (
    await query<{ address: string }>(
      knex,
      'select host(address) as address from forward_addresses order by address',
    )
  ).map(({ address }) => address)
const served = async (owner: string) => replay(await toldSets(knex, zone))[owner]

async function forwardedDomain() {
  names += 1
  const domain = await publishedDomain(knex, ada, `n${names}.homing.test`)
  await start(knex, domain)
  return domain
}

test('the list is stored; without forwards there is no job', async () => {
  await provideForwardAddresses(knex, ['192.0.2.80', '2001:DB8::80'])
  expect(await stored()).toEqual(['192.0.2.80', '2001:db8::80'])
  expect(await waiting()).toEqual([])
})

test('the same list in another order and form changes nothing', async () => {
  await provideForwardAddresses(knex, ['192.0.2.80', '2001:db8::80'])
  await forwardedDomain()
  await provideForwardAddresses(knex, ['2001:DB8:0::80', '192.0.2.80', '192.0.2.80'])
  expect(await waiting()).toEqual([])
})

test('another list: a job publishes every forward, a domain with its wildcard, and goes on where it stopped', async () => {
  await provideForwardAddresses(knex, ['192.0.2.80'])
  const base = await forwardedDomain()
  await publishedDomain(knex, ada, `*.${base.fqdn}`, base)
  await query(knex, 'update domains set is_forwarded = true where base_id = ?', [base.id])
  const other = await forwardedDomain()
  await provideForwardAddresses(knex, ['192.0.2.99'])
  expect(await waiting()).toEqual([{ name: 'forward-addresses', data: { after: FIRST_FORWARD } }])

  await query(knex, 'delete from pgboss.job')
  await publishForwardAddresses({ knex, jobs }, { after: FIRST_FORWARD }, 1)
  const now = [{ type: 'A', ttl: 60, rdata: ['192.0.2.99'] }]
  for (const fqdn of [base.fqdn, `*.${base.fqdn}`, other.fqdn])
    expect(await served(fqdn)).toEqual(now)
  // The step was full of all there is, and only the next one can know that.
  const [rest] = (await waiting()) as { data: { after: string } }[]
  expect(Number(rest?.data.after)).toBeGreaterThan(0)
  const sets = (await toldSets(knex, zone)).length
  await publishForwardAddresses({ knex, jobs }, { after: rest?.data.after ?? '' })
  expect(await toldSets(knex, zone)).toHaveLength(sets)
})

test('the job changes nothing in the forward feed', async () => {
  await provideForwardAddresses(knex, ['192.0.2.80'])
  await forwardedDomain()
  const before = await query(knex, 'select * from forward_feed')
  await publishForwardAddresses({ knex, jobs }, { after: FIRST_FORWARD })
  expect(await query(knex, 'select * from forward_feed')).toEqual(before)
})

test('waits for a transaction that has published the former list', async () => {
  await provideForwardAddresses(knex, ['192.0.2.80'])
  const domain = await forwardedDomain()
  const writer = await knex.transaction()
  await publishDomains(writer, [domain.id])
  const change = provideForwardAddresses(knex, ['192.0.2.81'])
  await untilSomebodyWaits(knex)
  await writer.commit()
  await change
  expect(await stored()).toEqual(['192.0.2.81'])
})
