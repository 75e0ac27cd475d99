import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import type { StreamClient } from '../../../test/support/event-stream.ts'
import { useStreamWorld, WAIT } from '../../../test/support/stream-world.ts'
import { query } from '../../database/sql.ts'

/** It takes a second; on a slow and busy machine several. A stream whose end is missed goes on for minutes. */
const END_LIMIT_MS = 10_000

const live = useStreamWorld()

describe('the end', () => {
  /** The time from an act to the end of a stream. */
  async function endsAfter(client: StreamClient, act: () => Promise<unknown>): Promise<number> {
    await act()
    const begun = performance.now()
    await expect.poll(() => client.isOver, WAIT).toBe(true)
    return performance.now() - begun
  }

  test.each<[string, (who: Caller) => Promise<unknown>]>([
    ['signing out', (who) => call(live.world.app, 'POST', '/api/logout', { headers: who.headers })],
    [
      'a changed password',
      async (who) => {
        const headers = await live.world.signIn(who.id)
        const body = { current_password: PASSWORD, new_password: 'another good password' }
        expect(
          (await call(live.world.app, 'POST', '/api/change-password', { headers, body })).status,
        ).toBe(200)
      },
    ],
    [
      'ending the other sessions',
      async (who) => {
        const headers = await live.world.signIn(who.id)
        await call(live.world.app, 'DELETE', '/api/me/sessions', { headers })
      },
    ],
    [
      'a ban',
      (who) => query(live.world.knex, 'update users set enabled = false where id = ?', [who.id]),
    ],
    [
      'expiry',
      (who) =>
        query(live.world.knex, `update sessions set expires_at = now() where user_id = ?`, [
          who.id,
        ]),
    ],
  ])('%s ends the stream within a second', async (_, act) => {
    const client = await live.follow(live.ada)
    const bobs = await live.follow(live.bob)
    expect(await endsAfter(client, () => act(live.ada))).toBeLessThan(END_LIMIT_MS)
    expect(client.dataOf('end')).toEqual([{ reason: 'session-ended' }])
    expect(bobs.isOver).toBe(false)
  })

  test('nothing is sent to a session that has ended', async () => {
    const { id } = await live.register(live.ada, 'home')
    const client = await live.follow(live.ada)
    const keeper = { ...live.ada, headers: await live.world.signIn(live.ada.id) }
    await call(live.world.app, 'POST', '/api/logout', { headers: live.ada.headers })
    await expect.poll(() => client.isOver, WAIT).toBe(true)
    const other = await live.follow(keeper)
    await live.change(keeper, id, '198.51.100.7')
    await expect.poll(() => other.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
    expect(client.text).not.toContain('198.51.100.7')
  })

  test('of too many streams of an account the oldest ends, and other accounts keep theirs', async () => {
    const few = await live.listening({ accountLimit: 2 })
    const [first, bobs, second, third] = [
      await live.follow(live.ada, few),
      await live.follow(live.bob, few),
      await live.follow(live.ada, few),
      await live.follow(live.ada, few),
    ]
    await expect.poll(() => first.isOver, WAIT).toBe(true)
    expect(first.dataOf('end')).toEqual([{ reason: 'replaced' }])
    expect([bobs, second, third].map(({ isOver }) => isOver)).toEqual([false, false, false])
  })

  test('a process with too many streams refuses further ones', async () => {
    const few = await live.listening({ streamsLimit: 1 })
    await live.follow(live.ada, few)
    const reply = await call(few.app, 'GET', '/api/stream', { headers: live.bob.headers })
    expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(reply.headers['retry-after']).toBe('30')
  })

  test('a process that stops tells its clients to connect again, not all at once', async () => {
    const stopping = await live.listening()
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => live.follow(live.ada, stopping)),
    )
    await stopping.app.close()
    await expect.poll(() => clients.every(({ isOver }) => isOver), WAIT).toBe(true)
    for (const client of clients) expect(client.dataOf('end')).toEqual([{ reason: 'stopping' }])
    const waits = clients.map(({ text }) => text.match(/retry: \d+/g)?.at(-1))
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  test('a client that goes away leaves nothing behind, and the last one ends the listening', async () => {
    const client = await live.follow(live.ada)
    expect(live.usual.services.live.size).toBe(1)
    client.close()
    await expect.poll(() => live.usual.services.live.size, WAIT).toBe(0)
    const listeners = () =>
      query(
        live.world.knex,
        `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
      )
    await expect.poll(async () => (await listeners()).length, WAIT).toBe(0)
  })
})

describe('who may open one', () => {
  test('an API key is refused', async () => {
    const created = await call(live.world.app, 'POST', '/api/api-keys', {
      headers: live.ada.headers,
      body: { name: 'ci' },
    })
    const { key } = created.json<{ key: string }>()
    const reply = await call(live.world.app, 'GET', '/api/stream', { headers: bearer(key) })
    expect(problemOf(reply).status).toBe(403)
  })

  test('HEAD opens no stream', async () => {
    const reply = await live.world.app.inject({
      method: 'HEAD',
      url: '/api/stream',
      headers: live.ada.headers,
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/event-stream')
    expect(live.world.services.live.size).toBe(0)
  })

  test('an open stream does not take a slot of calls, and metrics count it', async () => {
    const { app, url: at } = await live.listening()
    await live.follow(live.ada, { url: at })
    const { text } = await call(app, 'GET', '/metrics')
    expect(text).toMatch(/^homing_api_calls_under_way 0$/m)
    expect(text).toMatch(/^homing_api_streams 1$/m)
    expect(text).toMatch(/^homing_api_stream_events_total\{event="reload"\} 1$/m)
  })

  test('a client that reads nothing is closed, and others lose nothing', async () => {
    const { port } = new URL(live.usual.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.write(
      `GET /api/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: ${live.ada.headers['authorization']}\r\n\r\n`,
    )
    await expect.poll(() => live.usual.services.live.size, WAIT).toBe(1)
    await query(live.world.knex, 'delete from sessions where user_id = ?', [live.ada.id])
    await expect.poll(() => live.usual.services.live.size, WAIT).toBe(0)
    socket.resume()
    await once(socket, 'close')
  })
})
