import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BatchSocket, batchUnavailable, MAX_PACKET_OCTETS, SLOTS } from './batch-socket.ts'
import { closeUdp, openUdp, type UdpDescriptor } from './udp-descriptor.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

function open(host: string, port = 0): UdpDescriptor {
  const descriptor = openUdp({ host, port })
  ends.push(() => closeUdp(descriptor))
  return descriptor
}

function batch(descriptor: UdpDescriptor): BatchSocket {
  const socket = new BatchSocket(descriptor)
  ends.push(() => socket.release())
  return socket
}

async function client(host: string, port: number): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.connect(port, host)
  await once(socket, 'connect')
  ends.push(() => socket.close())
  return socket
}

const sent = (socket: Socket, octets: Uint8Array | string) =>
  new Promise<void>((resolve, reject) => {
    socket.send(octets, (error) => (error === null ? resolve() : reject(error)))
  })

const textOf = (socket: BatchSocket, slot: number) =>
  Buffer.from(socket.packets[slot]?.subarray(0, socket.octetsOf(slot)) ?? []).toString()

/** Answers with the contents of a slot, after a prefix. */
function answer(socket: BatchSocket, slot: number): void {
  const text = `answer to ${textOf(socket, slot)}`
  Buffer.from(text).copy(socket.out)
  socket.answer(slot, text.length)
}

/** Receives and answers datagrams until there were `count`. */
function answerAll(socket: BatchSocket, count: number): number[] {
  const batches: number[] = []
  for (let done = 0; done < count;) {
    const received = socket.receive()
    if (received === 0) throw new Error(`only ${done} of ${count} datagrams came`)
    for (let slot = 0; slot < received; slot++) answer(socket, slot)
    expect(socket.send()).toBe(0)
    batches.push(received)
    done += received
  }
  return batches
}

/** The next `count` datagrams to a client. */
function answersTo(socket: Socket, count: number): Promise<string[]> {
  const texts: string[] = []
  return new Promise((resolve) => {
    socket.on('message', (packet) => {
      if (texts.push(packet.toString()) === count) resolve(texts)
    })
  })
}

test('this system supports batches', () => {
  expect(batchUnavailable()).toBeUndefined()
})

describe.each(['127.0.0.1', '::1'])('on %s', (host) => {
  test('a datagram comes with its source, and its answer goes there', async () => {
    const descriptor = open(host)
    const socket = batch(descriptor)
    const asking = await client(host, descriptor.port)
    const answered = once(asking, 'message') as Promise<[Buffer, RemoteInfo]>
    await sent(asking, 'question')
    expect(socket.receive()).toBe(1)
    expect(textOf(socket, 0)).toBe('question')
    expect(socket.portOf(0)).toBe(asking.address().port)
    const address = socket.names.subarray(
      socket.addressAt(0),
      socket.addressAt(0) + socket.addressOctets,
    )
    const loopback = host === '::1' ? [...Array<number>(15).fill(0), 1] : [127, 0, 0, 1]
    expect([...address]).toEqual(loopback)
    answer(socket, 0)
    expect(socket.send()).toBe(0)
    const [packet, from] = await answered
    expect(packet.toString()).toBe('answer to question')
    expect(from.port).toBe(descriptor.port)
  })

  test('more datagrams than slots come in several batches, each answered to its sender', async () => {
    const descriptor = open(host)
    const socket = batch(descriptor)
    const count = 3 * SLOTS + 7
    const clients = await Promise.all([
      client(host, descriptor.port),
      client(host, descriptor.port),
    ])
    const answers = clients.map((each) => answersTo(each, count))
    for (let n = 0; n < count; n++) {
      for (const [which, each] of clients.entries()) await sent(each, `${which}-${n}`)
    }
    const batches = answerAll(socket, 2 * count)
    expect(Math.max(...batches)).toBe(SLOTS)
    for (const [which, texts] of (await Promise.all(answers)).entries()) {
      expect(texts).toEqual(Array.from({ length: count }, (_, n) => `answer to ${which}-${n}`))
    }
  })
})

test('without datagrams, the wait ends', () => {
  expect(batch(open('127.0.0.1')).receive()).toBe(0)
})

test('without waiting, only available datagrams are received', async () => {
  const descriptor = open('127.0.0.1')
  const socket = batch(descriptor)
  expect(socket.receive(false)).toBe(0)
  await sent(await client('127.0.0.1', descriptor.port), 'x')
  expect(socket.receive(false)).toBe(1)
})

test('the longest possible datagram arrives complete, and so does an empty one', async () => {
  const descriptor = open('127.0.0.1')
  const socket = batch(descriptor)
  const asking = await client('127.0.0.1', descriptor.port)
  const longest = Buffer.alloc(65_507, 'a')
  for (const each of ['before', longest, '', 'after']) await sent(asking, each)
  expect(socket.receive()).toBe(4)
  expect(textOf(socket, 0)).toBe('before')
  expect(textOf(socket, 1)).toBe(longest.toString())
  expect(socket.octetsOf(2)).toBe(0)
  expect(textOf(socket, 3)).toBe('after')
})

test('an answer that the network refuses does not delay the others', async () => {
  const descriptor = open('127.0.0.1')
  const socket = batch(descriptor)
  const asking = await client('127.0.0.1', descriptor.port)
  const answers = answersTo(asking, 4)
  for (let n = 0; n < 6; n++) await sent(asking, String(n))
  expect(socket.receive()).toBe(6)
  for (const slot of [1, 2]) {
    // Port 0 is reserved.
    const at = socket.addressAt(slot) - 2
    socket.names.fill(0, at, at + 2)
  }
  for (let slot = 0; slot < 6; slot++) answer(socket, slot)
  expect(socket.send()).toBe(2)
  expect(socket.lastError).toMatchObject({ code: 'EINVAL' })
  expect(await answers).toEqual(['0', '3', '4', '5'].map((n) => `answer to ${n}`))
})

test('several sockets share an address; one of another program is not taken', async () => {
  const first = open('127.0.0.1')
  expect(open('127.0.0.1', first.port).port).toBe(first.port)
  // An IPv6 wildcard does not include IPv4.
  expect(open('::', first.port).port).toBe(first.port)
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  ends.push(() => other.close())
  const { port } = other.address()
  expect(() => open('127.0.0.1', port)).toThrow(
    expect.objectContaining({ code: 'EADDRINUSE', message: expect.stringContaining(String(port)) }),
  )
  expect(() => open('not-an-address')).toThrow('not-an-address is not an IP address')
})

test('a closed descriptor throws instead of receiving in an endless loop', () => {
  const descriptor = openUdp({ host: '127.0.0.1', port: 0 })
  const socket = batch(descriptor)
  closeUdp(descriptor)
  expect(() => socket.receive()).toThrow(expect.objectContaining({ code: 'EBADF' }))
  socket.answer(0, 1)
  expect(() => socket.send()).toThrow(expect.objectContaining({ code: 'EBADF' }))
})

test('freed memory is inaccessible', () => {
  const socket = new BatchSocket(open('127.0.0.1'))
  const [packet] = socket.packets
  expect(packet?.length).toBe(MAX_PACKET_OCTETS)
  socket.release()
  expect(packet?.length).toBe(0)
  expect(socket.names.length).toBe(0)
})

test('collecting garbage moves and frees nothing that the kernel uses', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const descriptor = open('127.0.0.1')
  const socket = batch(descriptor)
  const asking = await client('127.0.0.1', descriptor.port)
  for (let turn = 0; turn < 20; turn++) {
    const answers = answersTo(asking, 8)
    for (let n = 0; n < 8; n++) await sent(asking, `${turn}-${n}-${'x'.repeat(1000)}`)
    // Creates and releases sockets and arrays around the calls, for the garbage collector.
    const passing = new BatchSocket(descriptor)
    const garbage = Array.from({ length: 100 }, () => new Uint8Array(10_000).fill(turn))
    collect()
    answerAll(socket, 8)
    passing.release()
    expect(garbage[99]?.[0]).toBe(turn)
    const expected = Array.from(
      { length: 8 },
      (_, n) => `answer to ${turn}-${n}-${'x'.repeat(1000)}`,
    )
    expect(await answers).toEqual(expected)
    asking.removeAllListeners('message')
  }
})

test.each([
  ['platform', 'darwin', /recvmmsg on darwin/],
  ['arch', 'ia32', /not known on ia32/],
])('elsewhere (%s %s) the reason is reported', async (property, value, reason) => {
  const original = Object.getOwnPropertyDescriptor(process, property)
  vi.resetModules()
  try {
    Object.defineProperty(process, property, { value })
    const elsewhere = await import('./batch-socket.ts')
    expect(elsewhere.batchUnavailable()).toMatch(reason)
  } finally {
    if (original !== undefined) Object.defineProperty(process, property, original)
  }
})
