/** Incomplete or interrupted update requests also get a line of text. */
import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ApiWorld, openApiWorld, testApp } from '../../../test/support/api-world.ts'
import { answerOf, untilClosed } from '../../../test/support/raw-http.ts'

let world: ApiWorld
let app: FastifyInstance

beforeAll(async () => {
  world = await openApiWorld()
  app = await testApp(world.services, { wholeMs: 300, checkMs: 20 })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await world.end()
})

const FORM = 'Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\n'
const begin = (url: string) => `POST ${url} HTTP/1.1\r\n${FORM}`

/** A connection, and what it receives until it ends. */
async function open({ server } = app): Promise<{ socket: Socket; end: Promise<string> }> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  const end = untilClosed(socket)
  await once(socket, 'connect')
  return { socket, end }
}

const LATE = /^HTTP\/1\.1 503 Service Unavailable\r\n/

describe('a body that does not arrive in time', { timeout: 15_000 }, () => {
  test.each([
    ['/nic/update', 'content-length: 40\r\n\r\nhostname='],
    ['/update/', 'transfer-encoding: chunked\r\n\r\n3\r\nhos\r\n'],
  ])('%s', async (url, more) => {
    const { socket, end } = await open()
    socket.write(`${begin(url)}${more}`)
    const text = await end
    expect(text).toMatch(LATE)
    const { headers, body } = answerOf(text)
    expect(body).toBe('911\n')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '4',
      'retry-after': '30',
      connection: 'close',
    })
  })

  test('earlier requests on the connection make no difference', async () => {
    const { socket, end } = await open()
    socket.write(`${begin('/nic/update')}content-length: 0\r\n\r\n`)
    await once(socket, 'data')
    socket.write('POST /api/login HTTP/1.1\r\nHost: x\r\ncontent-length: 9\r\n\r\n{')
    const text = await end
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toContain('malformed-request')
  })
})

test('invalid chunks, after the head has been read', async () => {
  // With the normal time limit, so that lateness is not the error.
  const patient = await testApp(world.services)
  onTestFinished(() => patient.close())
  await patient.listen({ host: '127.0.0.1', port: 0 })
  const { socket, end } = await open(patient)
  socket.write(`${begin('/nic/update')}transfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  socket.write('no chunk\r\n\r\n')
  const [, answer = ''] = (await end).split('HTTP/1.1 100 Continue\r\n\r\n')
  expect(answerOf(answer)).toMatchObject({ status: 200, body: 'badagent\n' })
})
