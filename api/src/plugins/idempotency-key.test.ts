import type { Domain, Problem } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { call, problemOf } from '../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../test/support/lock-waits.ts'
import { query } from '../database/sql.ts'
import { lockAccount } from '../feed/lock-order.ts'
import { expire } from '../jobs/expire.ts'

let world: ApiWorld
let ada: Caller
let clock = new Date()
let people = 0
beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`, 'pro')
})

const name = (label: string) => `${label}-${people}.homing.test`
const post = (key: string, body: object, who = ada, url = '/api/domains') =>
  call(world.app, 'POST', url, { headers: { ...who.headers, 'idempotency-key': key }, body })
const stored = () =>
  query(world.knex, 'select key, status from idempotency_keys where user_id = ?', [ada.id])

describe('Idempotency-Key', () => {
  test('a repeated call gets the same status, headers and body, and changes nothing', async () => {
    const body = { fqdn: name('home'), record_ip: '192.0.2.1' }
    const first = await post('k', body)
    expect(first.status).toBe(201)
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    await query(world.knex, 'update domains set ttl = 7 where fqdn = ?', [body.fqdn])
    const second = await post('k', body)
    const { location, etag, 'content-type': type } = first.headers
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers).toMatchObject({
      location,
      etag,
      'content-type': type,
      'idempotency-replayed': 'true',
    })
  })

  test('a refusal is repeated too, with the same request id', async () => {
    const body = { fqdn: 'www.homing.test' }
    const first = await post('k', body)
    const second = await post('k', body)
    expect(first.status).toBe(422)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(problemOf(second).code).toBe('name-not-allowed')
  })

  test('another body is refused, and so is another operation', async () => {
    await post('k', { fqdn: name('one') })
    const others = [
      await post('k', { fqdn: name('two') }),
      await post(
        'k',
        { operations: [{ op: 'create', fqdn: name('x') }] },
        ada,
        '/api/domains/bulk',
      ),
    ]
    for (const reply of others) {
      expect(problemOf(reply)).toMatchObject({ status: 422, code: 'idempotency-key-reused' })
    }
  })

  test('keys of accounts are separate', async () => {
    const bob = await world.person(`bob${people}`)
    expect((await post('k', { fqdn: name('hers') })).status).toBe(201)
    expect((await post('k', { fqdn: name('his') }, bob)).status).toBe(201)
  })

  test('a concurrent call gets 409, and the response once the first has ended', async () => {
    const body = { fqdn: name('slow') }
    const { knex } = world
    const gate = await knex.transaction()
    await lockAccount(gate, ada.id)
    const first = post('k', body)
    await untilSomebodyWaits(knex)
    const second = await post('k', body)
    expect(problemOf(second)).toMatchObject({ status: 409, code: 'request-in-progress' })
    expect(second.headers['retry-after']).toBe('1')
    await gate.rollback()
    expect((await first).status).toBe(201)
    expect((await post('k', body)).text).toBe((await first).text)
  })

  test('of many concurrent calls one is made', async () => {
    const body = { fqdn: name('race') }
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('k', body)))
    const statuses = new Set(replies.map(({ status }) => status))
    expect([...statuses].filter((status) => ![201, 409].includes(status))).toEqual([])
    const made = replies.filter(({ status }) => status === 201).map(({ text }) => text)
    expect(new Set(made).size).toBe(1)
    expect(
      replies.filter(({ status }) => status === 409).map((each) => problemOf(each).code),
    ).toEqual(Array.from({ length: 8 - made.length }, () => 'request-in-progress'))
  })

  test('a failure of the service is not kept', async () => {
    await query(world.knex, 'alter table name_reservations rename to elsewhere')
    const body = { fqdn: name('broken') }
    const failed = await post('k', body)
    await query(world.knex, 'alter table elsewhere rename to name_reservations')
    expect(failed.status).toBe(500)
    expect(await stored()).toEqual([])
    expect((await post('k', body)).status).toBe(201)
  })

  test('a call whose process ended can be made again after two minutes', async () => {
    const body = { fqdn: name('crashed') }
    await post('k', body)
    await query(
      world.knex,
      'update idempotency_keys set status = null, body = null where user_id = ?',
      [ada.id],
    )
    expect(problemOf(await post('k', body)).code).toBe('request-in-progress')
    clock = new Date(clock.getTime() + 121_000)
    expect(problemOf(await post('k', body)).code).toBe('name-taken')
  })

  test('after 24 hours the key is free, and the job deletes its row', async () => {
    const { id } = (await post('k', { fqdn: name('day') })).json<Domain>()
    clock = new Date(clock.getTime() + 24 * 3_600_000)
    expect((await post('k', { fqdn: name('next') })).json<Domain>().id).not.toBe(id)
    clock = new Date(clock.getTime() + 24 * 3_600_000)
    await expire(world.knex, clock)
    expect(await stored()).toEqual([])
  })

  test('a response with a secret is never repeated: 409 with the id', async () => {
    const first = await post('k', { name: 'ci' }, ada, '/api/api-keys/')
    expect(first.status).toBe(201)
    const { id, key } = first.json<{ id: string; key: string }>()
    const second = await post('k', { name: 'ci' }, ada, '/api/api-keys/')
    expect(problemOf(second)).toMatchObject({ status: 409, code: 'secret-not-repeated', id })
    const [row] = await query<{ text: string }>(
      world.knex,
      'select k::text as text from idempotency_keys k where user_id = ?',
      [ada.id],
    )
    expect(row?.text).not.toContain(key)
  })

  test.each(['', 'a b', 'a, b', 'é', 'x'.repeat(256)])('the key %j is refused', async (key) => {
    const problem = problemOf(await post(key, { fqdn: name('bad') }))
    expect(problem).toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'Idempotency-Key' }],
    })
  })

  test('255 characters are accepted, and a repeated batch has its verdicts', async () => {
    const key = '!~'.repeat(127) + 'x'
    const body = { operations: [{ op: 'create', fqdn: 'www.homing.test' }] }
    const send = () => post(key, body, ada, '/api/domains/bulk')
    const [first, second] = [await send(), await send()]
    expect(second.text).toBe(first.text)
    expect(second.json<Problem>().verdicts).toHaveLength(1)
  })
})
