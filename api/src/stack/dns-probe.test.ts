import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answersFor } from './dns-probe.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const limit = () => AbortSignal.timeout(5_000)

// Pointer to the question, type SOA, class IN, TTL; then the root for both names, and five numbers.
const SOA = Buffer.from([0xc0, 12, 0, 6, 0, 1, 0, 0, 0, 60, 0, 22, ...Array<number>(22).fill(0)])

/** Answers a question for \`homing.test\` with other flags and a SOA record. */
const withFlags = (flags: number) => (question: Buffer) => {
  const message = Buffer.concat([question.subarray(0, 12 + 'homing.test'.length + 2 + 4), SOA])
  message.writeUInt16BE(flags, 2)
  message.writeUInt16BE(1, 6)
  message.writeUInt16BE(0, 10)
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

async function tcpPort(server: ReturnType<typeof createServer>) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.each([
  ['an authoritative answer', 0x8400, true],
  ['REFUSED', 0x8005, false],
  ['an answer that is not authoritative', 0x8000, false],
])('%s over UDP', async (_what, flags, wanted) => {
  const target = await udpServer(withFlags(flags))
  expect(await answersFor(target, 'homing.test', 'udp', limit())).toBe(wanted)
})

test('an authoritative answer over TCP', async () => {
  const server = createServer((connection) => {
    connection.once('data', (framed: Buffer) => {
      const reply = withFlags(0x8400)(framed.subarray(2))
      connection.end(Buffer.concat([Buffer.from([0, reply.length]), reply]))
    })
  })
  closers.push(() => server.close())
  const target = { address: '127.0.0.1', port: await tcpPort(server) }
  expect(await answersFor(target, 'homing.test', 'tcp', limit())).toBe(true)
})

test('a closed port is an error at once', async () => {
  const server = createServer()
  const target = { address: '127.0.0.1', port: await tcpPort(server) }
  server.close()
  for (const transport of ['tcp', 'udp'] as const) {
    await expect(answersFor(target, 'homing.test', transport, limit())).rejects.toThrow(
      'ECONNREFUSED',
    )
  }
})
