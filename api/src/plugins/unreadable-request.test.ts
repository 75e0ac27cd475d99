import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, testApp } from '../../test/support/api-world.ts'
import { answerOf, exchange, untilClosed } from '../../test/support/raw-http.ts'

let world: ApiWorld
let app: FastifyInstance
let port: number

beforeAll(async () => {
  world = await openApiWorld()
  app = await testApp(world.services, { wholeMs: 300, checkMs: 20 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await world.end()
})

const HEAD = 'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

// Node itself checks every 30 s; the test must get its answer before that.
describe('an incomplete request', { timeout: 15_000 }, () => {
  test.each([
    ['its headers do not end', HEAD],
    ['half its body is there', `${HEAD}content-length: 40\r\n\r\n{"username_or_email"`],
    ['its chunks do not end', `${HEAD}transfer-encoding: chunked\r\n\r\n3\r\n{"u\r\n`],
  ])('is answered and ended: %s', async (_what, octets) => {
    const { status, headers, body } = answerOf(await exchange({ port }, octets))
    expect(status).toBe(400)
    expect(headers.get('connection')).toBe('close')
    expect(JSON.parse(body)).toMatchObject({
      code: 'malformed-request',
      detail: 'The request did not arrive in time.',
    })
  })

  test('is not kept alive by an octet now and then', async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    const closed = untilClosed(socket)
    await once(socket, 'connect')
    socket.write(`${HEAD}content-length: 100000\r\n\r\n{`)
    const drip = setInterval(() => socket.write(' '), 20)
    // An octet that arrives after the other side has closed resets the connection.
    const text = await closed
    clearInterval(drip)
    expect(answerOf(text).status).toBe(400)
  })
})

test(
  'a connection that sends nothing is closed without an answer',
  { timeout: 15_000 },
  async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    expect(await untilClosed(socket)).toBe('')
  },
)

test('input that is not HTTP gets a 400', async () => {
  const { status, body } = answerOf(await exchange({ port }, 'GET / SMTP/1.0\r\n\r\n'))
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({ detail: 'This is not a valid HTTP request.' })
})

test('a complete request is answered', async () => {
  const head = 'GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  expect(answerOf(await exchange({ port }, head)).status).toBe(200)
})
