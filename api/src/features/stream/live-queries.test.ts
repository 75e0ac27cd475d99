import { expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { useStreamWorld, WAIT } from '../../../test/support/stream-world.ts'
import { query } from '../../database/sql.ts'

const live = useStreamWorld()

const setPlan = (who: Caller, plan: string) =>
  query(live.world.knex, 'update users set account_type = ? where id = ?', [plan, who.id])

const domainOf = async (who: Caller, label: string): Promise<string> =>
  (await insertDomain(live.world.knex, { userId: who.id, fqdn: live.fqdn(label) })).id

const watched = async () => {
  const sql = 'select name from live_watch where name like ? order by name'
  const rows = await query<{ name: string }>(live.world.knex, sql, [`%${live.people}.homing.test`])
  return rows.map(({ name }) => name)
}

const follow = (who: Caller) => live.follow(who, { url: `${live.usual.url}?queries=true` })

/** Writes queries as a daemon does. @param name the name that answered */
const ask = (name: string, times = 1, qname = name) =>
  query(
    live.world.knex,
    `insert into live_queries (at, zone, name, qname, type, rcode, transport, network, sample, dnsd)
     select '2026-05-12T09:30Z'::timestamptz + n * interval '1 ms', 'homing.test', ?, ?, 'A', 'NOERROR', 'udp', '198.51.100.0/24', 1, 'd'
     from generate_series(1, ?) n`,
    [name, qname, times],
  )

test('the queries of the own domains, while somebody watches', async () => {
  await setPlan(live.ada, 'pro')
  await setPlan(live.bob, 'pro')
  const id = await domainOf(live.ada, 'home')
  // A domain of somebody else below it.
  await domainOf(live.bob, 'sub.home')
  await ask(live.fqdn('home'), 1, `before.${live.fqdn('home')}`)
  const [client, plain] = [await follow(live.ada), await live.follow(live.ada)]
  await expect.poll(watched, WAIT).toEqual([live.fqdn('home')])
  await ask(live.fqdn('sub.home'))
  await ask('other.homing.test')
  await ask(live.fqdn('home'), 1, `www.${live.fqdn('home')}`)
  await expect
    .poll(() => client.dataOf('query'), WAIT)
    .toEqual([
      {
        at: '2026-05-12T09:30:00.001Z',
        domain_id: id,
        qname: `www.${live.fqdn('home')}`,
        type: 'A',
        rcode: 'NOERROR',
        transport: 'udp',
        network: '198.51.100.0/24',
        sample: 1,
      },
    ])
  expect(plain.dataOf('query')).toEqual([])
  client.close()
  await expect.poll(watched, WAIT).toEqual([])
})

test('more queries than a person can read are sampled, and the sum stays', async () => {
  await setPlan(live.ada, 'elite')
  await domainOf(live.ada, 'home')
  const client = await follow(live.ada)
  await expect.poll(watched, WAIT).toEqual([live.fqdn('home')])
  await ask(live.fqdn('home'), 3_000)
  const sum = () => client.dataOf('query').reduce((total, { sample }) => total + Number(sample), 0)
  await expect.poll(sum, WAIT).toBe(3_000)
  expect(client.dataOf('query').length).toBeLessThanOrEqual(400)
})

test('a plan without DNS analytics does not watch, and a watcher that loses the plan stops', async () => {
  await setPlan(live.ada, 'free')
  await domainOf(live.ada, 'home')
  const url = '/api/stream?queries=true'
  const refused = await call(live.world.app, 'GET', url, { headers: live.ada.headers })
  expect(problemOf(refused)).toMatchObject({ status: 403, code: 'plan-required' })
  await setPlan(live.ada, 'pro')
  await follow(live.ada)
  await expect.poll(watched, WAIT).toEqual([live.fqdn('home')])
  await setPlan(live.ada, 'free')
  await expect.poll(watched, WAIT).toEqual([])
})
