/** Calls whose body arrives long after their headers: a caller who lost access meanwhile is refused. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { answerOf } from '../../test/support/raw-http.ts'
import { query } from '../database/sql.ts'

let world: ApiWorld
let ada: Caller
let clockMs = Date.now()

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => new Date(clockMs) })
  ada = await world.person('ada')
  await world.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.end())

const KEY = { name: 'left behind' }

interface Waiting {
  readonly socket: Socket
  readonly body: string
}

/** A call whose caller is authenticated and whose body has not arrived yet. */
async function callWithoutBody(
  line: string,
  headers: Caller['headers'],
  fields: object,
): Promise<Waiting> {
  const body = JSON.stringify(fields)
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
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await isFound
  return { socket, body }
}

async function answerTo({ socket, body }: Waiting) {
  let text = ''
  socket.on('data', (octets) => (text += octets.toString()))
  socket.write(body)
  await once(socket, 'close')
  const answer = answerOf(text)
  return { status: answer.status, json: JSON.parse(answer.body) as unknown }
}

const NEW_KEY = 'POST /api/api-keys/'
const endSessions = () => query(world.knex, 'delete from sessions where user_id = ?', [ada.id])

test('calls that can hand over an account are always checked again', async () => {
  const waiting = await callWithoutBody(NEW_KEY, await world.signIn(ada.id), KEY)
  await endSessions()
  const { status, json } = await answerTo(waiting)
  expect([status, json]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })])
  expect(await query(world.knex, 'select 1 from api_keys where user_id = ?', [ada.id])).toEqual([])
})

test('all other calls are checked again after a moment', async () => {
  const fields = { surname: 'Late' }
  const waiting = await callWithoutBody('PUT /api/profile', await world.signIn(ada.id), fields)
  await endSessions()
  clockMs += 101
  expect((await answerTo(waiting)).status).toBe(401)
  const [{ surname } = {}] = await query<{ surname?: string }>(
    world.knex,
    'select surname from users where id = ?',
    [ada.id],
  )
  expect(surname).toBeNull()
})

test('a plan that was removed meanwhile applies', async () => {
  const bob = await world.person('bob')
  const waiting = await callWithoutBody(NEW_KEY, bob.headers, KEY)
  await query(world.knex, `update users set account_type = 'free' where id = ?`, [bob.id])
  expect((await answerTo(waiting)).json).toMatchObject({ code: 'plan-required' })
})

test('a caller who still has access is served, for any delay of the body', async () => {
  const eve = await world.person('eve')
  const waiting = await callWithoutBody(NEW_KEY, eve.headers, KEY)
  clockMs += 20_000
  expect((await answerTo(waiting)).status).toBe(201)
})
