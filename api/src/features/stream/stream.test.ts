import type { FastifyInstance } from 'fastify'
import { type AddressInfo, connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
  testApp,
} from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { StreamClient } from '../../../test/support/event-stream.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { LiveStreams, type LiveOptions } from '../../live/live-streams.ts'

/** A second, and as much again for a busy machine. */
const END_LIMIT_MS = 2_000
const WAIT = { timeout: 15_000, interval: 20 }

let world: ApiWorld
let ada: Caller
let bob: Caller
let people = 0
const open: StreamClient[] = []
const apps: FastifyInstance[] = []

/** An app with streams of its own, as another replica has, and where it listens. */
async function listening(
  options: Partial<LiveOptions> = {},
): Promise<{ app: FastifyInstance; url: string; services: Services }> {
  const { knex, now, log } = world.services
  const services = { ...world.services, live: new LiveStreams({ knex, now, log, ...options }) }
  const app = await testApp(services)
  apps.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, services, url: `http://127.0.0.1:${port}/api/stream` }
}

let url: string
let services: Services

beforeAll(async () => {
  world = await openApiWorld()
  ;({ url, services } = await listening())
})
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`)
  bob = await world.person(`bob${people}`)
})
afterEach(() => {
  for (const client of open.splice(0)) client.close()
})
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await world.end()
})

async function follow(
  { headers }: Pick<Caller, 'headers'>,
  options: { url?: string; lastEventId?: string } = {},
): Promise<StreamClient> {
  const client = await StreamClient.open(options.url ?? url, headers, options.lastEventId)
  open.push(client)
  await expect.poll(() => client.dataOf('heartbeat').length, WAIT).toBeGreaterThan(0)
  return client
}

const as = async (
  { headers }: Caller,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => {
  const reply = await call(world.app, method, path, { headers, body })
  expect(reply.status).toBeLessThan(300)
  return reply.status === 204 ? { id: '' } : reply.json<{ id: string }>()
}
const register = (who: Caller, label: string, zone = 'homing.test') =>
  as(who, 'POST', '/api/domains', { fqdn: `${label}${people}.${zone}` })
const change = (who: Caller, id: string, record_ipv4: string) =>
  as(who, 'PUT', `/api/domains/${id}`, { record_ipv4 })

describe('events', () => {
  test('a created, changed and deleted domain, with what a row of the list needs', async () => {
    const client = await follow(ada)
    expect(client.response.headers.get('content-type')).toBe('text/event-stream')
    expect(client.response.headers.get('cache-control')).toBe('no-store')
    expect(client.events[0]?.name).toBe('reload')
    const { id } = await register(ada, 'home')
    await expect.poll(() => client.dataOf('domain'), WAIT).toMatchObject([{ id, version: 1 }])
    await change(ada, id, '198.51.100.7')
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
    const listed = await call(world.app, 'GET', '/api/domains', { headers: ada.headers })
    expect(client.dataOf('domain').at(-1)).toEqual(listed.json<unknown[]>()[0])
    await as(ada, 'DELETE', `/api/domains/${id}`)
    await expect
      .poll(() => client.dataOf('domain-deleted'), WAIT)
      .toEqual([{ id, fqdn: `home${people}.homing.test` }])
  })

  test('a wildcard comes with its base, whose row shows it', async () => {
    const { id } = await register(ada, 'base')
    await change(ada, id, '198.51.100.7')
    const client = await follow(ada)
    const base_fqdn = `base${people}.homing.test`
    const wildcard = await as(ada, 'POST', '/api/domains/wildcard', { base_fqdn })
    await expect
      .poll(() => client.dataOf('domain'), WAIT)
      .toContainEqual(expect.objectContaining({ id: wildcard.id, is_wildcard: true }))
    expect(client.dataOf('domain')).toContainEqual(
      expect.objectContaining({ id, wildcard_enabled: true }),
    )
  })

  test('changes of others are not sent, nor their deletions and update calls', async () => {
    const theirs = await register(bob, 'secret')
    const mine = await register(ada, 'mine')
    const client = await follow(ada)
    await change(bob, theirs.id, '203.0.113.9')
    await updateByUrl(bob, 'secret', '203.0.113.10')
    await as(bob, 'DELETE', `/api/domains/${theirs.id}`)
    await change(ada, mine.id, '198.51.100.7')
    await expect
      .poll(() => client.dataOf('domain').at(-1), WAIT)
      .toMatchObject({ id: mine.id, version: 2 })
    expect(client.text).not.toContain('secret')
    expect(client.text).not.toContain('203.0.113.')
  })

  test('an update call, also one that changes nothing', async () => {
    const { id } = await register(ada, 'router')
    const client = await follow(ada)
    for (const answer of ['good 198.51.100.8', 'nochg 198.51.100.8']) {
      await updateByUrl(ada, 'router', '198.51.100.8')
      await world.services.callLog.flush()
      await expect
        .poll(() => client.dataOf('update-call').at(-1), WAIT)
        .toMatchObject({
          domain_id: id,
          fqdn: `router${people}.homing.test`,
          is_refused: false,
          answer,
        })
    }
  })

  test('when the notifications are lost, changes are found all the same', async () => {
    const { id } = await register(ada, 'home')
    const client = await follow(ada)
    const ended = await query(
      world.knex,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    )
    expect(ended.length).toBeGreaterThan(0)
    await change(ada, id, '198.51.100.7')
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
  })

  test('after a step of serials that no change made, lists must be read again', async () => {
    const client = await follow(ada)
    await query(world.knex, 'update zone_serials set serial = serial + 1000')
    await expect.poll(() => client.dataOf('reload').length, WAIT).toBeGreaterThan(1)
  })

  test('a stream without events gets heartbeats', async () => {
    const quiet = await listening({ heartbeatMs: 50 })
    const client = await follow(ada, quiet)
    await expect.poll(() => client.dataOf('heartbeat').length, WAIT).toBeGreaterThan(2)
    expect(client.dataOf('reload')).toHaveLength(1)
  })
})

/** A call of the update URL with the token of the domain. */
async function updateByUrl(who: Caller, label: string, ip: string): Promise<void> {
  const fqdn = `${label}${people}.homing.test`
  const basic = Buffer.from(`${who.username}:${PASSWORD}`).toString('base64')
  const answer = await world.app.inject({
    url: `/nic/update?hostname=${fqdn}&myip=${ip}`,
    headers: { authorization: `Basic ${basic}` },
  })
  expect(answer.body).toMatch(/^(good|nochg) /)
}

describe('connecting again', () => {
  test('sends what was missed, once, and nothing that was seen', async () => {
    const [seen, missed, gone] = [
      await register(ada, 'seen'),
      await register(ada, 'missed'),
      await register(ada, 'gone'),
    ]
    const client = await follow(ada)
    await change(ada, seen.id, '198.51.100.1')
    await expect
      .poll(() => client.dataOf('domain').at(-1), WAIT)
      .toMatchObject({ id: seen.id, version: 2 })
    client.close()
    await change(ada, missed.id, '198.51.100.2')
    await change(ada, missed.id, '198.51.100.3')
    await as(ada, 'DELETE', `/api/domains/${gone.id}`)
    // Another replica continues.
    const other = await listening()
    const again = await follow(ada, { url: other.url, lastEventId: client.lastEventId })
    expect(again.dataOf('reload')).toEqual([])
    expect(again.dataOf('domain')).toMatchObject([{ id: missed.id, record_ipv4: '198.51.100.3' }])
    expect(again.dataOf('domain-deleted')).toMatchObject([{ id: gone.id }])
    expect(again.lastEventId).not.toBe(client.lastEventId)
  })

  test('with an id that says too little, the client must read its lists again', async () => {
    await register(ada, 'home')
    const client = await follow(ada)
    client.close()
    await register(ada, 'other', 'eu.homing.test')
    const behind = client.lastEventId.replace(/-\d+$/, '-1')
    for (const lastEventId of ['x', '1-', '9'.repeat(5_000), client.lastEventId, behind]) {
      const again = await follow(ada, { lastEventId })
      expect(again.events[0]?.name).toBe('reload')
      again.close()
    }
  })
})

describe('the end', () => {
  /** The time from an act to the end of a stream. */
  async function endsAfter(client: StreamClient, act: () => Promise<unknown>): Promise<number> {
    await act()
    const begun = performance.now()
    await expect.poll(() => client.isOver, WAIT).toBe(true)
    return performance.now() - begun
  }

  test.each<[string, (who: Caller) => Promise<unknown>]>([
    ['signing out', (who) => call(world.app, 'POST', '/api/logout', { headers: who.headers })],
    [
      'a changed password',
      async (who) => {
        const headers = await world.signIn(who.id)
        const body = { current_password: PASSWORD, new_password: 'another good password' }
        expect(
          (await call(world.app, 'POST', '/api/change-password', { headers, body })).status,
        ).toBe(200)
      },
    ],
    [
      'ending the other sessions',
      async (who) => {
        const headers = await world.signIn(who.id)
        await call(world.app, 'DELETE', '/api/me/sessions', { headers })
      },
    ],
    [
      'a ban',
      (who) => query(world.knex, 'update users set enabled = false where id = ?', [who.id]),
    ],
    [
      'expiry',
      (who) =>
        query(world.knex, `update sessions set expires_at = now() where user_id = ?`, [who.id]),
    ],
  ])('%s ends the stream within a second', async (_, act) => {
    const client = await follow(ada)
    const bobs = await follow(bob)
    expect(await endsAfter(client, () => act(ada))).toBeLessThan(END_LIMIT_MS)
    expect(client.dataOf('end')).toEqual([{ reason: 'session-ended' }])
    expect(bobs.isOver).toBe(false)
  })

  test('nothing is sent to a session that has ended', async () => {
    const { id } = await register(ada, 'home')
    const client = await follow(ada)
    const keeper = { ...ada, headers: await world.signIn(ada.id) }
    await call(world.app, 'POST', '/api/logout', { headers: ada.headers })
    await expect.poll(() => client.isOver, WAIT).toBe(true)
    const other = await follow(keeper)
    await change(keeper, id, '198.51.100.7')
    await expect.poll(() => other.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
    expect(client.text).not.toContain('198.51.100.7')
  })

  test('of too many streams of an account the oldest ends, and other accounts keep theirs', async () => {
    const few = await listening({ accountLimit: 2 })
    const [first, bobs, second, third] = [
      await follow(ada, few),
      await follow(bob, few),
      await follow(ada, few),
      await follow(ada, few),
    ]
    await expect.poll(() => first.isOver, WAIT).toBe(true)
    expect(first.dataOf('end')).toEqual([{ reason: 'replaced' }])
    expect([bobs, second, third].map(({ isOver }) => isOver)).toEqual([false, false, false])
  })

  test('a process with too many streams refuses further ones', async () => {
    const few = await listening({ streamsLimit: 1 })
    await follow(ada, few)
    const reply = await call(few.app, 'GET', '/api/stream', { headers: bob.headers })
    expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(reply.headers['retry-after']).toBe('30')
  })

  test('a process that stops tells its clients to connect again, not all at once', async () => {
    const stopping = await listening()
    const clients = await Promise.all(Array.from({ length: 5 }, () => follow(ada, stopping)))
    await stopping.app.close()
    await expect.poll(() => clients.every(({ isOver }) => isOver), WAIT).toBe(true)
    for (const client of clients) expect(client.dataOf('end')).toEqual([{ reason: 'stopping' }])
    const waits = clients.map(({ text }) => text.match(/retry: \d+/g)?.at(-1))
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  test('a client that goes away leaves nothing behind, and the last one ends the listening', async () => {
    const client = await follow(ada)
    expect(services.live.size).toBe(1)
    client.close()
    await expect.poll(() => services.live.size, WAIT).toBe(0)
    const listeners = () =>
      query(
        world.knex,
        `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
      )
    await expect.poll(async () => (await listeners()).length, WAIT).toBe(0)
  })
})

describe('who may open one', () => {
  test('an API key is refused', async () => {
    const created = await call(world.app, 'POST', '/api/api-keys', {
      headers: ada.headers,
      body: { name: 'ci' },
    })
    const { key } = created.json<{ key: string }>()
    const reply = await call(world.app, 'GET', '/api/stream', { headers: bearer(key) })
    expect(problemOf(reply).status).toBe(403)
  })

  test('HEAD opens no stream', async () => {
    const reply = await world.app.inject({
      method: 'HEAD',
      url: '/api/stream',
      headers: ada.headers,
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/event-stream')
    expect(world.services.live.size).toBe(0)
  })

  test('an open stream does not take a slot of calls, and metrics count it', async () => {
    const { app, url: at } = await listening()
    await follow(ada, { url: at })
    const { text } = await call(app, 'GET', '/metrics')
    expect(text).toMatch(/^homing_api_calls_under_way 0$/m)
    expect(text).toMatch(/^homing_api_streams 1$/m)
    expect(text).toMatch(/^homing_api_stream_events_total\{event="reload"\} 1$/m)
  })

  test('a client that reads nothing is closed, and others lose nothing', async () => {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.write(
      `GET /api/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: ${ada.headers['authorization']}\r\n\r\n`,
    )
    await expect.poll(() => services.live.size, WAIT).toBe(1)
    await query(world.knex, 'delete from sessions where user_id = ?', [ada.id])
    await expect.poll(() => services.live.size, WAIT).toBe(0)
    socket.resume()
    await once(socket, 'close')
  })
})
