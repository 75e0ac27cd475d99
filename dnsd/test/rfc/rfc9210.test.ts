import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TcpCapacity } from '../../src/server/index.ts'
import { asking } from '../support/ask.ts'
import { ednsWith, optionOctets, requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { framed, TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const big = Array.from({ length: 120 }, (_, n) => `big 60 AAAA 2001:db8::${n + 1}`)
const KEEPALIVE = 11
const most = Array.from({ length: 3900 }, (_, n) => `most 60 A 10.0.${n >> 8}.${n & 255}`)
const home = zoneFromText(
  'home.test.',
  [
    'alice 60 A 192.0.2.1',
    'w 60 CNAME alice',
    'cut 60 NS ns.cut',
    'ns.cut 60 A 192.0.2.2',
    ...big,
    ...most,
  ].join('\n'),
)
const ask = asking(home)
const names = ['alice', 'w', 'x.cut', 'nobody', 'big'].map((label) => `${label}.home.test`)

const alice = (id: number) => requestOctets('alice.home.test', 'A', { id })

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function started(...[options]: [Parameters<typeof serve>[1]?]): Promise<TestServer> {
  const server = await serve([home], options)
  closing.push(() => server.close())
  return server
}

async function connected(server: TestServer, host = '127.0.0.1'): Promise<TcpClient> {
  const client = await TcpClient.open(server.port, host)
  closing.push(() => client.socket.destroy())
  return client
}

/** The idle time-out that the server sends to a client. */
async function toldIdleMs(client: TcpClient): Promise<number> {
  const edns = ednsWith(optionOctets(KEEPALIVE))
  const reply = await client.ask(requestOctets('alice.home.test', 'A', { edns }))
  return Number.parseInt(String(reply?.opt?.options[KEEPALIVE]), 16) * 100
}

describe('RFC 9210 §3: TCP is equal to UDP', () => {
  it.each(names)('the answer for %s is the same, except for what does not fit', (name) => {
    for (const type of ['A', 'AAAA', 'NS', 'SOA', 'ANY']) {
      for (const edns of [undefined, {}]) {
        const udp = ask(name, type, { edns })
        const tcp = ask(name, type, { edns, transport: 'tcp' })
        const isCut = udp.flags.includes('tc')
        expect(isCut).toBe(tcp.octets.length > (edns === undefined ? 512 : 1232))
        expect(isCut || tcp.octets.equals(udp.octets)).toBe(true)
      }
    }
  })

  it('an answer that is truncated over UDP is complete over TCP', () => {
    expect(ask('big.home.test', 'AAAA', { edns: {} })).toMatchObject({ flags: 'qr aa tc' })
    const whole = ask('big.home.test', 'AAAA', { edns: {}, transport: 'tcp' })
    expect([whole.flags, whole.answer.length]).toEqual(['qr aa', 120])
  })
})

describe('RFC 9210 §4: connections', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve([home], { hosts: ['127.0.0.1', '::1'] })
  })
  afterAll(async () => server.close())

  it.each(['127.0.0.1', '::1'])(
    'are accepted at %s without an earlier query over UDP',
    async (host) => {
      const client = await TcpClient.open(server.port, host)
      const reply = await client.ask(requestOctets('alice.home.test', 'A'))
      expect(reply?.answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
      client.socket.destroy()
    },
  )

  it('§4.2: stay open after a refusal, or without an answer', async () => {
    const client = await TcpClient.open(server.port)
    const answerOnly = requestOctets('alice.home.test', 'A')
    answerOnly.writeUInt16BE(0x8000, 2)
    client.socket.write(framed(answerOnly))
    expect((await client.ask(requestOctets('example', 'A')))?.rcode).toBe('REFUSED')
    expect((await client.ask(Buffer.alloc(12)))?.rcode).toBe('FORMERR')
    expect((await client.ask(requestOctets('alice.home.test', 'A')))?.answer).toHaveLength(1)
    client.socket.destroy()
  })

  it('§4.4: many at once, each with its own answers', async () => {
    const clients = await Promise.all(names.map(async () => TcpClient.open(server.port)))
    const replies = await Promise.all(
      clients.map(async (client, at) =>
        client.ask(requestOctets(names[at] ?? '', 'A', { id: at + 1 })),
      ),
    )
    expect(replies.map((reply) => reply?.id)).toEqual([1, 2, 3, 4, 5])
    expect(replies.map((reply) => reply?.octets)).toEqual(
      names.map((name, at) => ask(name, 'A', { id: at + 1, transport: 'tcp' }).octets),
    )
    for (const client of clients) client.socket.destroy()
  })
})

describe('RFC 9210 §4.2: connections are limited', () => {
  it('on all addresses together, and a new client is served', async () => {
    const hosts = ['127.0.0.1', '127.0.0.2']
    const server = await started({ hosts, tcpLimits: { maxConnections: 2 } })
    const first = await connected(server, '127.0.0.1')
    const second = await connected(server, '127.0.0.2')
    await first.ask(alice(1))
    const third = await connected(server, '127.0.0.2')
    await second.closed
    expect((await third.ask(alice(3)))?.id).toBe(3)
    expect((await first.ask(alice(4)))?.id).toBe(4)
  })

  it('by the memory of unfinished messages', async () => {
    const server = await started({ tcpLimits: { maxHeldBytes: 100_000 } })
    const honest = await connected(server)
    const half = Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.alloc(30_000)])
    const greedy: TcpClient[] = []
    for (let count = 0; count < 8; count++) {
      const client = await connected(server)
      client.socket.write(half)
      greedy.push(client)
    }
    expect((await server.closings(1))[0]).toBe('evicted')
    await Promise.race(greedy.map(({ closed }) => closed))
    expect((await honest.ask(alice(1)))?.id).toBe(1)
  })

  it('by the memory of unread answers', async () => {
    const server = await started({ tcpLimits: { maxHeldBytes: 200_000 } })
    const honest = await connected(server)
    const questions = Buffer.alloc(100 * 34, framed(requestOctets('most.home.test', 'A')))
    for (let count = 0; count < 8; count++) {
      const client = await connected(server)
      client.socket.pause()
      client.socket.write(questions)
    }
    expect((await server.closings(1))[0]).toBe('evicted')
    expect((await honest.ask(alice(1)))?.id).toBe(1)
  })
})

describe('RFC 9210 §4.2: the idle time decreases as places are taken', () => {
  it('from half of them on, and clients that request it are informed', async () => {
    const server = await started({ tcpLimits: { maxConnections: 10, idleMs: 15_000 } })
    const told: number[] = []
    for (let count = 0; count < 10; count++) told.push(await toldIdleMs(await connected(server)))
    expect(told).toEqual([...Array(5).fill(15_000), 12_000, 9_000, 6_000, 3_000, 1_000])
  })

  it('and connections are closed after it', async () => {
    const tcp = new TcpCapacity({ maxConnections: 4, idleMs: 60_000 })
    const server = await started({ tcp })
    const clients: TcpClient[] = []
    for (let count = 0; count < 4; count++) clients.push(await connected(server))
    // All connections are taken, so the server grants the shortest time.
    await clients[1]?.ask(alice(1))
    await clients[1]?.closed
    expect(await server.closings(1)).toEqual(['idle'])
    expect((await clients[0]?.ask(alice(2)))?.id).toBe(2)
  })

  it('is never longer than configured, and follows changes', () => {
    const tcp = new TcpCapacity({ idleMs: 300 })
    expect(tcp.idleMs).toBe(300)
    tcp.configure({ idleMs: 5000, messageMs: 70 })
    expect([tcp.idleMs, tcp.messageMs]).toEqual([5000, 70])
  })
})

describe('RFC 9210 §4.3: connections end', () => {
  it('by the client, and its place is free', async () => {
    const server = await started({ tcpLimits: { maxConnections: 1 } })
    for (let count = 0; count < 5; count++) {
      const client = await connected(server)
      expect((await client.ask(alice(count)))?.id).toBe(count)
      client.socket.end()
      await client.closed
    }
    expect(await server.closings(5)).toEqual(Array(5).fill(undefined))
  })
})
