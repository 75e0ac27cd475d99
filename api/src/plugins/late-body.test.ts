/** Calls whose body comes long after their headers: whoever may not call any more when it is there is refused. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { answerOf } from '../../test/support/raw-http.ts'
import { query } from '../sql.ts'

let world: ApiWorld
let ada: Caller
let clockMs = Date.now()

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => new Date(clockMs) })
  ada = await world.person('ada')
  await world.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.end())

const BODY = JSON.stringify({ name: 'left behind' })

/** A call whose caller has been found and whose body is not there yet. */
async function callWithoutBody(headers: Caller['headers']): Promise<Socket> {
  const { port } = world.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const isFound = new Promise<void>((found) => {
    const look = (_: unknown, { sql }: { sql: string }) => {
      if (!sql.includes('join sessions s on')) return
      world.knex.off('query-response', look)
      found()
    }
    world.knex.on('query-response', look)
  })
  await once(socket, 'connect')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `POST /api/api-keys/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  )
  await isFound
  return socket
}

async function answerTo(socket: Socket) {
  let text = ''
  socket.on('data', (octets) => (text += octets.toString()))
  socket.write(BODY)
  await once(socket, 'close')
  return answerOf(text)
}

test('a session that has ended meanwhile makes no key', async () => {
  const socket = await callWithoutBody(await world.signIn(ada.id))
  await query(world.knex, 'delete from sessions where user_id = ?', [ada.id])
  clockMs += 501
  const { status, body } = await answerTo(socket)
  expect([status, JSON.parse(body)]).toEqual([
    401,
    expect.objectContaining({ code: 'unauthenticated' }),
  ])
  expect(await query(world.knex, 'select 1 from api_keys where user_id = ?', [ada.id])).toEqual([])
})

test('a plan that was taken away meanwhile counts', async () => {
  const bob = await world.person('bob')
  const socket = await callWithoutBody(bob.headers)
  await query(world.knex, `update users set account_type = 'free' where id = ?`, [bob.id])
  clockMs += 501
  const { body } = await answerTo(socket)
  expect(JSON.parse(body)).toMatchObject({ code: 'plan-required' })
})

test('whoever still may call is served, however late the body is', async () => {
  const eve = await world.person('eve')
  const socket = await callWithoutBody(eve.headers)
  clockMs += 20_000
  expect((await answerTo(socket)).status).toBe(201)
})
