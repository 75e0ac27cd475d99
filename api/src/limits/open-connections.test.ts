import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, testApp } from '../../test/support/api-world.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true })
})
afterAll(() => world.end())

/** An open connection, or undefined when it was closed at once. */
async function open(app: FastifyInstance, localAddress: string): Promise<Socket | undefined> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n')
  // A server that closes before it has read the request resets the connection: `once` rejects then.
  const answered = await Promise.race([
    once(socket, 'data').then(
      () => true,
      () => false,
    ),
    once(socket, 'close').then(
      () => false,
      () => false,
    ),
  ])
  return answered ? socket : undefined
}

async function listening(trustProxy: string[]): Promise<FastifyInstance> {
  const services = { ...world.services, config: { ...world.services.config, trustProxy } }
  const app = await testApp(services, { connections: 3 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

test('connections of one address beyond its limit are closed, and others are unaffected', async () => {
  const app = await listening([])
  const held = [
    await open(app, '127.0.0.2'),
    await open(app, '127.0.0.2'),
    await open(app, '127.0.0.2'),
  ]
  expect(held.every((socket) => socket !== undefined)).toBe(true)
  expect(await open(app, '127.0.0.2')).toBeUndefined()
  const other = await open(app, '127.0.0.3')
  expect(other).toBeDefined()
  const [first] = held
  first?.destroy()
  await expect.poll(async () => (await open(app, '127.0.0.2')) !== undefined).toBe(true)
  for (const socket of [...held, other]) socket?.destroy()
  await app.close()
})

test('live streams do not count as connections of their network', async () => {
  const app = await listening([])
  const { headers } = await world.person('ada')
  const { port } = app.server.address() as AddressInfo
  const streams: Socket[] = []
  for (let n = 0; n < 5; n += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.4' })
    streams.push(socket)
    socket.write(
      `GET /api/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers['authorization']}\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  }
  const calls = [await open(app, '127.0.0.4'), await open(app, '127.0.0.4')]
  expect(calls.every((socket) => socket !== undefined)).toBe(true)
  // Closing a stream gives back nothing that it no longer holds.
  for (const socket of streams) socket.destroy()
  await expect.poll(() => world.services.live.size).toBe(0)
  calls.push(await open(app, '127.0.0.4'))
  expect(await open(app, '127.0.0.4')).toBeUndefined()
  for (const socket of calls) socket?.destroy()
  await app.close()
})

test('a trusted proxy can open any number', async () => {
  const app = await listening(['127.0.0.2', '10.0.0.0/8', '2001:db8::/32'])
  const held = await Promise.all(Array.from({ length: 10 }, () => open(app, '127.0.0.2')))
  expect(held.every((socket) => socket !== undefined)).toBe(true)
  for (const socket of held) socket?.destroy()
  await app.close()
})
