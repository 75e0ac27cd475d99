import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { query } from '../database/sql.ts'
import { CallLog, type ReceivedCall } from './call-log.ts'

const AT = new Date('2030-01-01T00:00:00Z')
let world: FeedWorld
let ada: string
let errors: unknown[] = []
let made = 0
let host: string
let hostId: string

beforeAll(async () => {
  world = await openFeedWorld()
  ada = await makeUser(world.knex, 'ada')
})
afterAll(() => world.end())
beforeEach(async () => {
  made += 1
  errors = []
  host = `home${made}.homing.test`
  hostId = (await insertDomain(world.knex, { userId: ada, fqdn: host })).id
})

const logOver = (knex: Knex = world.knex) =>
  new CallLog({ knex, onError: (error) => errors.push(error) })
const callOf = (fields: Partial<ReceivedCall> = {}): ReceivedCall => ({
  fqdn: host,
  isOwners: true,
  at: AT,
  sourceIp: '192.0.2.1',
  client: 'ddclient/3.11',
  dialect: 'dyndns2',
  path: '/nic/update',
  said: 'myip=192.0.2.1',
  answer: 'good',
  hint: null,
  ...fields,
})

interface Kept {
  readonly answer: string
  readonly times: number
  readonly is_refused: boolean
}
const kept = (id = hostId) =>
  query<Kept>(
    world.knex,
    'select answer, times, is_refused from update_calls where domain_id = ? order by is_refused, number',
    [id],
  )
const lines = async () =>
  (await kept()).map(
    ({ answer, times, is_refused }) => `${is_refused ? '!' : ''}${answer} ×${times}`,
  )

/** Records calls and stores them. */
async function store(log: CallLog, ...calls: readonly ReceivedCall[]): Promise<void> {
  for (const call of calls) log.record(call)
  await log.flush()
}

test('a call is stored with all its fields', async () => {
  await store(logOver(), callOf({ hint: 'not-encrypted', sourceIp: '2001:db8::1' }))
  const [row] = await query<object>(
    world.knex,
    `select first_at, last_at, host(source_ip) as ip, client, dialect, path, said, answer, hint
     from update_calls where domain_id = ?`,
    [hostId],
  )
  expect(row).toEqual({
    first_at: AT,
    last_at: AT,
    ip: '2001:db8::1',
    client: 'ddclient/3.11',
    dialect: 'dyndns2',
    path: '/nic/update',
    said: 'myip=192.0.2.1',
    answer: 'good',
    hint: 'not-encrypted',
  })
})

test('waiting calls are stored automatically', async () => {
  logOver().record(callOf())
  await expect.poll(lines).toEqual(['good ×1'])
})

test('names that do not exist, and wildcards, store nothing', async () => {
  const star = await insertDomain(world.knex, { userId: ada, fqdn: `*.${host}`, baseId: hostId })
  await store(logOver(), callOf({ fqdn: 'none.homing.test' }), callOf({ fqdn: `*.${host}` }))
  expect(await kept(star.id)).toEqual([])
  expect(errors).toEqual([])
})

describe('equal calls', () => {
  test('are one entry with a count, in memory and afterwards', async () => {
    const log = logOver()
    await store(log, callOf(), callOf())
    await store(log, callOf({ at: new Date(AT.getTime() + 1_000) }))
    await store(log, callOf({ answer: 'nochg' }), callOf({ answer: 'nochg' }))
    await store(log, callOf())
    expect(await lines()).toEqual(['good ×3', 'nochg ×2', 'good ×1'])
    const [row] = await query<object>(
      world.knex,
      'select first_at, last_at from update_calls where domain_id = ? and times = 3',
      [hostId],
    )
    expect(row).toEqual({ first_at: AT, last_at: new Date(AT.getTime() + 1_000) })
  })

  test('at two replicas at the same time are not lost', async () => {
    const [one, other] = [logOver(), logOver(world.connectAgain())]
    for (let n = 0; n < 5; n += 1) await Promise.all([store(one, callOf()), store(other, callOf())])
    expect(errors).toEqual([])
    expect(await lines()).toEqual(['good ×10'])
  })
})

test('more equal calls than an integer can count cause no error', async () => {
  const log = logOver()
  await store(log, callOf())
  await query(world.knex, 'update update_calls set times = 2147483647 where domain_id = ?', [
    hostId,
  ])
  await store(log, callOf(), callOf({ answer: 'nochg' }))
  expect(errors).toEqual([])
  expect(await lines()).toEqual(['good ×2147483647', 'nochg ×1'])
})

describe('stored calls are bounded', () => {
  test('fifty different calls of the owner in one second are all stored', async () => {
    const log = logOver()
    const asked = Array.from({ length: 60 }, (_, n) => callOf({ answer: `good ${n}` }))
    await store(log, ...asked)
    const calls = await lines()
    expect(calls).toHaveLength(50)
    expect([calls[0], calls.at(-1)]).toEqual(['good 10 ×1', 'good 59 ×1'])
    expect(errors).toEqual([])
  })

  test('the last fifty of a name', async () => {
    const log = logOver()
    for (let n = 0; n < 65; n += 5) {
      await store(log, ...[0, 1, 2, 3, 4].map((more) => callOf({ answer: `good ${n + more}` })))
    }
    const calls = await lines()
    expect(calls).toHaveLength(50)
    expect([calls[0], calls.at(-1)]).toEqual(['good 15 ×1', 'good 64 ×1'])
  })

  test('calls of strangers do not replace calls of the owner', async () => {
    const log = logOver()
    await store(log, callOf(), callOf({ answer: 'nochg' }))
    for (let n = 0; n < 40; n += 4) {
      const guesses = [0, 1, 2, 3].map((more) =>
        callOf({ isOwners: false, answer: 'badauth', client: `scan ${n + more}` }),
      )
      await store(log, ...guesses)
    }
    const calls = await lines()
    expect(calls.slice(0, 2)).toEqual(['good ×1', 'nochg ×1'])
    expect(calls.slice(2)).toEqual(Array.from({ length: 10 }, () => '!badauth ×1'))
  })

  test('nor in memory, for any number of guessed names', async () => {
    const log = logOver()
    log.record(callOf())
    for (let n = 0; n < 5_000; n += 1) {
      log.record(callOf({ fqdn: `n${n}.homing.test`, isOwners: false, answer: 'badauth' }))
    }
    expect(log.dropped).toBe(4_750)
    await log.flush()
    expect(await lines()).toEqual(['good ×1'])
  })
})

describe('the last update of a name', () => {
  const updatedAt = async () => {
    const [ring] = await query<{ accepted_at: Date | null }>(
      world.knex,
      'select accepted_at from update_call_rings where domain_id = ?',
      [hostId],
    )
    return ring?.accepted_at
  }
  const later = (ms: number) => new Date(AT.getTime() + ms)

  test('is kept for calls that were accepted, to the second', async () => {
    const log = logOver()
    await store(log, callOf({ answer: 'nochg' }), callOf({ answer: 'dnserr', at: later(5_000) }))
    expect(await updatedAt()).toEqual(AT)
    await store(log, callOf({ isOwners: false, answer: 'good', at: later(6_000) }))
    expect(await updatedAt()).toEqual(AT)
    await store(log, callOf({ answer: 'good', at: later(7_000) }))
    expect(await updatedAt()).toEqual(later(7_000))
  })

  test('is kept for a call that the log has no room for, to the hour', async () => {
    const log = logOver()
    for (let n = 0; n < 1_000; n += 1) log.record(callOf({ fqdn: `n${n}.homing.test` }))
    expect(log.admits(callOf({ answer: 'nochg' }), AT)).toBe(false)
    await log.flush()
    expect(await updatedAt()).toEqual(AT)
    log.noteUpdate(host, later(3_000_000))
    await log.flush()
    expect(await updatedAt()).toEqual(AT)
    log.noteUpdate(host, later(3_700_000))
    await log.flush()
    expect(await updatedAt()).toEqual(later(3_700_000))
    expect(errors).toEqual([])
  })

  test('of a name that does not exist is not kept, and one that PostgreSQL did not take is tried again', async () => {
    let isAway = true
    const knex = new Proxy(world.knex, {
      get: (target, key, receiver): unknown => {
        if (key === 'raw' && isAway) throw new Error('away')
        return Reflect.get(target, key, receiver)
      },
    })
    const log = logOver(knex)
    log.noteUpdate(host, AT)
    log.noteUpdate('none.homing.test', AT)
    await log.flush()
    expect(errors).toEqual([new Error('away')])
    isAway = false
    await log.flush()
    expect(await updatedAt()).toEqual(AT)
  })
})

test('recording never fails, and calls that PostgreSQL did not accept are stored later', async () => {
  let isAway = true
  const knex = {
    transaction: (...all: Parameters<Knex['transaction']>) => {
      if (isAway) throw new Error('away')
      return world.knex.transaction(...all)
    },
  }
  const log = logOver(knex as unknown as Knex)
  await store(log, callOf(), callOf({ answer: 'nochg' }))
  await store(log, callOf({ answer: 'nochg' }))
  expect(errors).toEqual([new Error('away'), new Error('away')])
  isAway = false
  await store(log, callOf())
  expect(await lines()).toEqual(['good ×1', 'nochg ×2', 'good ×1'])
  expect(log.dropped).toBe(0)
})

test('one transaction at a time, and a flush waits for the one in progress', async () => {
  let underWay = 0
  let most = 0
  const knex = {
    async transaction(...all: Parameters<Knex['transaction']>) {
      underWay += 1
      most = Math.max(most, underWay)
      await world.knex.transaction(...all)
      underWay -= 1
    },
  }
  const log = logOver(knex as unknown as Knex)
  log.record(callOf())
  const first = log.flush()
  log.record(callOf({ answer: 'nochg' }))
  await Promise.all([first, log.flush(), log.flush()])
  expect(most).toBe(1)
  expect(await lines()).toEqual(['good ×1', 'nochg ×1'])
})

test('a locked row of a domain delays nobody, and its calls are dropped', async () => {
  await world.knex.transaction(async (trx) => {
    await query(trx, 'select 1 from domains where id = ? for update', [hostId])
    await store(logOver(), callOf())
    expect(await lines()).toEqual(['good ×1'])
  })
})
