import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answersOverTcp, answersOverUdp } from './dns-probe.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const limit = () => AbortSignal.timeout(5_000)

/** Echoes a question with other flags, and says that it holds one answer. */
const withFlags = (flags: number) => (question: Buffer) => {
  const message = Buffer.from(question)
  message.writeUInt16BE(flags, 2)
  message.writeUInt16BE(1, 6)
  return message
}

async function udpServer(reply: (question: Buffer) => Buffer) {
  const socket = createSocket('udp4', (message, from) =>
    socket.send(reply(message), from.port, from.address),
  )
  closers.push(() => socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: '127.0.0.1', port: socket.address().port }
}

test.each([
  ['an authoritative answer', 0x8400, true],
  ['REFUSED', 0x8405, false],
  ['an answer that is not authoritative', 0x8000, false],
  ['its own question', 0x0000, false],
])('%s over UDP', async (_what, flags, wanted) => {
  const target = await udpServer(withFlags(flags))
  expect(await answersOverUdp(target, 'homing.test', limit())).toBe(wanted)
})

test('an answer to somebody else is none', async () => {
  const target = await udpServer((question) => {
    const message = withFlags(0x8400)(question)
    message.writeUInt16BE(message.readUInt16BE(0) ^ 1, 0)
    return message
  })
  expect(await answersOverUdp(target, 'homing.test', limit())).toBe(false)
})

test('an answer in pieces over TCP', async () => {
  const server = createServer((connection) => {
    connection.once('data', (framed: Buffer) => {
      const reply = Buffer.concat([framed.subarray(0, 2), withFlags(0x8400)(framed.subarray(2))])
      connection.write(reply.subarray(0, 1))
      setImmediate(() => connection.end(reply.subarray(1)))
    })
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await answersOverTcp({ address: '127.0.0.1', port }, 'homing.test', limit())).toBe(true)
})

test('nobody there is an error at once, not an answer', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  for (const ask of [answersOverTcp, answersOverUdp]) {
    await expect(ask({ address: '127.0.0.1', port }, 'homing.test', limit())).rejects.toThrow(
      'ECONNREFUSED',
    )
  }
})
