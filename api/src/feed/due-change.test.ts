/** Changes whose caller has already read the name: the write detects under the lock that the name has changed since. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../database/connect.ts'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { openSilentProxy } from '../../test/support/silent-proxy.ts'
import { UpdateNotStored } from './address-change.ts'
import { AddressCoalescer } from './coalescer.ts'
import { query } from '../database/sql.ts'

let world: FeedWorld
let coalescer: AddressCoalescer
let user: string

beforeAll(async () => {
  world = await openFeedWorld()
  coalescer = new AddressCoalescer({ knex: world.knex })
  user = await makeUser(world.knex, 'ada')
})
afterAll(() => world.end())

const actor = { kind: 'password', id: null, sourceIp: null, client: null } as const
const change = (domainId: string, ipv4: string, seenVersion = 1) =>
  coalescer.submit({ domainId, userId: user, ipv4, seenVersion, actor })
const domain = (label: string) =>
  insertDomain(world.knex, { userId: user, fqdn: `${label}.homing.test`, ipv4: '192.0.2.1' })
const events = async (id: string) =>
  (await query(world.knex, 'select from domain_events where domain_id = ?', [id])).length

test('a due change is written', async () => {
  const { id } = await domain('due')
  expect(await change(id, '192.0.2.2')).toEqual({ kind: 'changed', version: 2 })
  expect(await events(id)).toBe(1)
})

test('a change that was made meanwhile is unchanged, and writes nothing', async () => {
  const { id } = await domain('made')
  const verdicts = await Promise.all([change(id, '192.0.2.2'), change(id, '192.0.2.2')])
  expect(verdicts.map(({ kind }) => kind)).toEqual(['changed', 'unchanged'])
  expect(await change(id, '192.0.2.2')).toMatchObject({ kind: 'unchanged' })
  expect(await events(id)).toBe(1)
})

test('a wildcard that the caller does not know also follows', async () => {
  const base = await domain('base')
  const star = await insertDomain(world.knex, {
    userId: user,
    fqdn: `*.${base.fqdn}`,
    ipv4: '192.0.2.1',
    baseId: base.id,
  })
  expect(await change(base.id, '192.0.2.2')).toMatchObject({ kind: 'changed' })
  const [row] = await query<{ ip: string }>(
    world.knex,
    'select host(record_ipv4) as ip from domains where id = ?',
    [star.id],
  )
  expect(row?.ip).toBe('192.0.2.2')
})

test('a name that was withheld or deleted meanwhile is not written', async () => {
  const locked = await domain('locked')
  await query(world.knex, 'update domains set locked = true where id = ?', [locked.id])
  expect(await change(locked.id, '192.0.2.2')).toEqual({ kind: 'withheld', reasons: ['locked'] })
  const gone = await domain('gone')
  await query(world.knex, 'delete from domains where id = ?', [gone.id])
  expect(await change(gone.id, '192.0.2.2')).toEqual({ kind: 'gone' })
})

test('a change of an old version is judged again, and made', async () => {
  const { id } = await domain('again')
  await change(id, '192.0.2.2')
  expect(await change(id, '192.0.2.3', 1)).toEqual({ kind: 'changed', version: 3 })
})

test('a batch that was given up and reaches PostgreSQL late does not undo later changes', async () => {
  const { id } = await domain('late')
  const proxy = await openSilentProxy(world.url)
  const limits = { lockMs: 200, statementMs: 200, idleInTransactionMs: 200 }
  const knex = connect({ url: proxy.url, limits, applicationName: 'late' })
  const late = new AddressCoalescer({ knex })
  const by = (ipv4: string, seenVersion: number) =>
    late.submit({ domainId: id, userId: user, ipv4, seenVersion, actor })
  await by('192.0.2.2', 1)
  proxy.silence()
  await expect(by('192.0.2.3', 2)).rejects.toThrow(UpdateNotStored)
  expect(await change(id, '192.0.2.4', 2)).toEqual({ kind: 'changed', version: 3 })

  proxy.speak()
  // PostgreSQL receives the statement and runs it, and then finds the connection closed.
  const backends = () =>
    query(world.knex, `select 1 from pg_stat_activity where application_name = 'late'`)
  await expect.poll(backends).toEqual([])
  const [row] = await query<{ ip: string }>(
    world.knex,
    'select host(record_ipv4) as ip from domains where id = ?',
    [id],
  )
  expect(row?.ip).toBe('192.0.2.4')
  await knex.destroy()
  proxy.close()
})
