import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../test/support/calls.ts'
import { buildApp } from '../app.ts'
import { poolLoad } from '../database/pool-load.ts'

/** The number of connections, of slots for calls, and of calls that may wait for a connection. */
const POOL = 10
const CALLS = 12

let world: ApiWorld
let app: FastifyInstance
let ada: Caller

beforeAll(async () => {
  world = await openApiWorld()
  ada = await world.person('ada')
  app = await buildApp(world.services, {
    admission: { calls: CALLS, waiting: 8, loopDelayMs: 60_000 },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  // A call that waits for a connection gets one when the test releases it. It does not time out after three seconds,
  // because on a busy machine the steps in between take longer than that.
  const { pool } = world.knex.client as { pool: { acquireTimeoutMillis: number } }
  pool.acquireTimeoutMillis = 60_000
})
afterAll(async () => {
  await app.close()
  await world.end()
})

const list = (ip = '198.51.100.1') => call(app, 'GET', '/api/domains', { headers: ada.headers, ip })

/** Takes every connection of the pool. @returns a function that releases them */
async function exhaustPool(): Promise<() => Promise<void>> {
  const held = await Promise.all(Array.from({ length: POOL }, () => world.knex.transaction()))
  await Promise.all(held.map((trx) => trx.raw('set local idle_in_transaction_session_timeout = 0')))
  return async () => void (await Promise.all(held.map((trx) => trx.rollback())))
}

async function underWay(of = app): Promise<number> {
  const { text } = await call(of, 'GET', '/metrics')
  return Number(/^homing_api_calls_under_way (\d+)$/m.exec(text)?.[1])
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)
const times = (count: number, status: number): number[] =>
  Array.from({ length: count }, () => status)

describe('when every connection to the database is taken', () => {
  test('a limited number wait, the others get 503 at once, and calls succeed when a connection is free', async () => {
    const giveBack = await exhaustPool()
    const waiting = Array.from({ length: CALLS }, () => list())
    await expect.poll(async () => underWay()).toBe(CALLS)
    const refused = await Promise.all(Array.from({ length: 50 }, () => list()))
    for (const reply of refused) {
      expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
      expect(reply.headers['retry-after']).toBe('2')
    }
    // Metrics and pages are still served.
    expect((await call(app, 'GET', '/metrics')).status).toBe(200)
    expect((await call(app, 'GET', '/nothing')).status).toBe(404)
    await giveBack()
    expect(statuses(await Promise.all(waiting))).toEqual(times(CALLS, 200))
    expect((await list()).status).toBe(200)
    expect((await call(app, 'GET', '/api/health')).status).toBe(200)
    expect(await underWay()).toBe(0)
  })

  test('other queries that wait for a connection count as well', async () => {
    const giveBack = await exhaustPool()
    const waiting = Array.from({ length: 8 }, async () => world.knex.raw('select 1'))
    await expect.poll(() => poolLoad(world.knex).waiting).toBe(8)
    expect((await list()).status).toBe(503)
    expect(await underWay()).toBe(0)
    await giveBack()
    await Promise.all(waiting)
    expect((await list()).status).toBe(200)
  })
})

test('no more calls are in progress than the slots allow', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, () => list()))
  const served = replies.filter(({ status }) => status === 200)
  expect(served.length).toBeGreaterThanOrEqual(1)
  expect(served.length).toBeLessThanOrEqual(CALLS)
  expect(statuses(replies).filter((status) => status === 503)).toHaveLength(60 - served.length)
  expect(await underWay()).toBe(0)
})

test('one network cannot use more than its share', async () => {
  const { config } = world.services
  const limited = await buildApp(
    { ...world.services, config: { ...config, rateLimits: true } },
    { admission: { calls: 1_000, waiting: 1_000, loopDelayMs: 60_000 } },
  )
  const from = (ip: string) => call(limited, 'GET', '/api/domains', { headers: ada.headers, ip })
  // The account is known from now on, so that no other limit applies.
  expect((await from('198.51.100.1')).status).toBe(200)
  const giveBack = await exhaustPool()
  const waiting = Array.from({ length: 64 }, () => from('198.51.100.1'))
  await expect.poll(async () => underWay(limited)).toBe(64)
  const beyond = await from('198.51.100.1')
  expect(problemOf(beyond)).toMatchObject({ status: 429, code: 'rate-limited' })
  const elsewhere = from('198.51.100.2')
  await expect.poll(async () => underWay(limited)).toBe(65)
  await giveBack()
  expect((await elsewhere).status).toBe(200)
  expect(new Set(statuses(await Promise.all(waiting)))).toEqual(new Set([200]))
  await limited.close()
})

describe('clients that do not continue', () => {
  let port: number
  let sockets: Socket[] = []

  beforeAll(() => {
    ;({ port } = app.server.address() as AddressInfo)
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    sockets = []
  })

  async function begin(octets: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(octets)
    return socket
  }

  test('bodies that do not arrive take no slot', async () => {
    const head =
      'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 50\r\n\r\n'
    const begun = await Promise.all(Array.from({ length: CALLS * 3 }, () => begin(head)))
    // Node sends `100 Continue` when the headers were read and the call is in progress.
    await Promise.all(begun.map((socket) => once(socket, 'data')))
    expect(await underWay()).toBe(0)
    expect((await list()).status).toBe(200)
  })

  test('calls whose clients have disconnected free their slots', async () => {
    const giveBack = await exhaustPool()
    const { authorization = '' } = ada.headers
    const request = `GET /api/domains HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(request)))
    await expect.poll(async () => underWay()).toBe(8)
    for (const socket of begun) socket.destroy()
    // The work is not done yet, so its slot is still taken.
    expect(await underWay()).toBe(8)
    await giveBack()
    await expect.poll(async () => underWay()).toBe(0)
  })

  test('a thousand simultaneous calls on one connection are answered in order', async () => {
    const socket = await begin('')
    let text = ''
    const all = new Promise<void>((resolve) => {
      socket.on('data', (part) => {
        text += part.toString()
        if (text.split('HTTP/1.1 ').length === 1_001) resolve()
      })
    })
    const { authorization = '' } = ada.headers
    const one = (n: number) =>
      `GET ${n === 999 ? '/nothing' : '/api/domains'} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
    socket.write(Array.from({ length: 1_000 }, (_, n) => one(n)).join(''))
    await all
    const seen = text
      .split('HTTP/1.1 ')
      .slice(1)
      .map((part) => part.slice(0, 3))
    expect(seen[0]).toBe('200')
    expect(seen.at(-1)).toBe('404')
    expect(new Set(seen)).toEqual(new Set(['200', '503', '404']))
    expect(await underWay()).toBe(0)
  })
})
