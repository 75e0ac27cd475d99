import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { read } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { framed, TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const big = Array.from({ length: 3900 }, (_, n) => `big 60 A 10.0.${n >> 8}.${n & 255}`)
const zone = zoneFromText('home.test.', ['alice 60 A 192.0.2.1', ...big].join('\n'))
const alice = (id: number) => requestOctets('alice.home.test', 'A', { id })

let server: TestServer
beforeAll(async () => {
  server = await serve([zone])
})
afterAll(() => server.close())

describe('RFC 7766 §5: TCP is equal to UDP', () => {
  const hosts = Array.from({ length: 120 }, (_, n) => `big 60 AAAA 2001:db8::${n + 1}`)
  const some = [
    'alice 60 A 192.0.2.1',
    'w 60 CNAME alice',
    'cut 60 NS ns.cut',
    'ns.cut 60 A 192.0.2.2',
  ]
  const either = asking(zoneFromText('home.test.', [...some, ...hosts].join('\n')))

  it.each(['alice', 'w', 'x.cut', 'nobody', 'big'])(
    '%s gets the same octets, except for what does not fit',
    (label) => {
      for (const type of ['A', 'AAAA', 'NS', 'SOA', 'ANY']) {
        for (const edns of [undefined, {}]) {
          const udp = either(`${label}.home.test`, type, { edns })
          const tcp = either(`${label}.home.test`, type, { edns, transport: 'tcp' })
          const isCut = udp.flags.includes('tc')
          expect(isCut).toBe(tcp.octets.length > (edns === undefined ? 512 : 1232))
          expect(isCut || tcp.octets.equals(udp.octets)).toBe(true)
        }
      }
    },
  )

  it('an answer that is truncated over UDP is complete over TCP', () => {
    expect(either('big.home.test', 'AAAA', { edns: {} })).toMatchObject({ flags: 'qr aa tc' })
    const whole = either('big.home.test', 'AAAA', { edns: {}, transport: 'tcp' })
    expect([whole.flags, whole.answer.length]).toEqual(['qr aa', 120])
  })
})

describe('RFC 7766 §6.2.1: one connection, many messages', () => {
  it('answers one after the other', async () => {
    const client = await TcpClient.open(server.port)
    expect((await client.ask(alice(1)))?.answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
    expect((await client.ask(alice(2)))?.id).toBe(2)
    client.socket.destroy()
  })

  it('§6.2.1.1: answers all of many that came together', async () => {
    const client = await TcpClient.open(server.port)
    const ids = Array.from({ length: 1000 }, (_, id) => id)
    client.socket.write(Buffer.concat(ids.map((id) => framed(alice(id)))))
    const replies = await client.receive(1000)
    expect(replies.map(({ id }) => id)).toEqual(ids)
    client.socket.destroy()
  })

  it('sends the largest possible message', async () => {
    const client = await TcpClient.open(server.port)
    const reply = await client.ask(requestOctets('big.home.test', 'A'))
    expect([reply?.answer.length, reply?.octets.length]).toEqual([3900, 12 + 19 + 3900 * 16])
    client.socket.destroy()
  })

  it('waits for a slow reader, and loses nothing', async () => {
    const client = await TcpClient.open(server.port)
    client.socket.pause()
    const ids = Array.from({ length: 300 }, (_, id) => id)
    const messages = ids.map((id) => framed(requestOctets('big.home.test', 'A', { id })))
    client.socket.write(Buffer.concat(messages))
    // 18 MiB that one client does not read must not delay another client.
    const other = await TcpClient.open(server.port)
    expect((await other.ask(alice(1)))?.rcode).toBe('NOERROR')
    client.socket.resume()
    const replies = await client.receiveOctets(300)
    expect(replies.map((octets) => octets.readUInt16BE(0))).toEqual(ids)
    expect(read(replies.at(-1) ?? Buffer.alloc(0)).answer).toHaveLength(3900)
    client.socket.destroy()
    other.socket.destroy()
  })

  it('continues after packets that get no answer', async () => {
    const client = await TcpClient.open(server.port)
    const response = alice(1)
    response.writeUInt16BE(0x8000, 2)
    for (const silent of [Buffer.alloc(0), Buffer.alloc(11), response]) {
      client.socket.write(framed(silent))
    }
    expect((await client.ask(alice(2)))?.id).toBe(2)
    client.socket.destroy()
  })
})

describe('RFC 7766 §8: messages come in any pieces', () => {
  it('octet by octet', async () => {
    const client = await TcpClient.open(server.port)
    for (const octet of framed(alice(5))) {
      client.socket.write(Buffer.from([octet]))
      await new Promise(setImmediate)
    }
    expect((await client.receive(1))[0]?.id).toBe(5)
    client.socket.destroy()
  })

  it('split at every place', async () => {
    const client = await TcpClient.open(server.port)
    const two = Buffer.concat([framed(alice(1)), framed(alice(2))])
    for (let at = 1; at < two.length; at++) {
      client.socket.write(two.subarray(0, at))
      await new Promise(setImmediate)
      client.socket.write(two.subarray(at))
      expect((await client.receive(2)).map(({ id }) => id)).toEqual([1, 2])
    }
    client.socket.destroy()
  })

  it('of up to 65535 octets, more than any request needs', async () => {
    const client = await TcpClient.open(server.port)
    const long = Buffer.concat([alice(9), Buffer.alloc(65_535 - alice(9).length)])
    expect((await client.ask(long))?.rcode).toBe('FORMERR')
    expect((await client.ask(alice(1)))?.rcode).toBe('NOERROR')
    client.socket.destroy()
  })
})

describe('RFC 7766 §6.2.4: a client that closes its side', () => {
  it('gets its answers and then the end', async () => {
    const client = await TcpClient.open(server.port)
    client.socket.end(Buffer.concat([framed(alice(1)), framed(alice(2))]))
    expect((await client.receive(3)).map(({ id }) => id)).toEqual([1, 2])
    await client.closed
  })

  it('gets the end at once if it asked nothing, or not completely', async () => {
    for (const octets of [Buffer.alloc(0), framed(alice(1)).subarray(0, 9)]) {
      const client = await TcpClient.open(server.port)
      client.socket.end(octets)
      expect(await client.receive(1)).toEqual([])
    }
  })
})

describe('RFC 7766 §6.2.3: connections are not kept forever', () => {
  it('an idle one is closed', async () => {
    // Not so short that a busy machine exceeds it between the connection and the query.
    const hasty = await serve([zone], { tcpLimits: { idleMs: 400 } })
    const client = await TcpClient.open(hasty.port)
    expect((await client.ask(alice(1)))?.id).toBe(1)
    await client.closed
    expect(await hasty.closings(1)).toEqual(['idle'])
    await hasty.close()
  })

  it('one with an incomplete message is closed, however slowly it continues', async () => {
    const hasty = await serve([zone], { tcpLimits: { messageMs: 60 } })
    const client = await TcpClient.open(hasty.port)
    const drip = setInterval(() => client.socket.write(Buffer.from([0])), 5)
    client.socket.write(Buffer.from([0xff, 0xff]))
    await client.closed
    clearInterval(drip)
    expect(await hasty.closings(1)).toEqual(['unfinished-message'])
    await hasty.close()
  })

  it('one whose client sends queries and does not read is not read from, and closed', async () => {
    const hasty = await serve([zone], { tcpLimits: { idleMs: 500 } })
    const client = await TcpClient.open(hasty.port)
    client.socket.pause()
    const message = framed(requestOctets('big.home.test', 'A'))
    // More than the kernel buffers on both sides, so only a server that keeps reading accepts all of it.
    const flood = Buffer.alloc(32 * 1024 * 1024, message)
    let taken = false
    client.socket.write(flood, (error) => {
      taken = error === undefined || error === null
    })
    expect(await hasty.closings(1)).toEqual(['idle'])
    expect(taken).toBe(false)
    client.socket.destroy()
    await hasty.close()
  })
})

describe('RFC 7766 §6.2.2 and §10: many connections', () => {
  it('serves 300 clients at once', async () => {
    const clients = await Promise.all(
      Array.from({ length: 300 }, () => TcpClient.open(server.port)),
    )
    const replies = await Promise.all(clients.map((client, id) => client.ask(alice(id))))
    expect(replies.map((reply) => reply?.id)).toEqual(clients.map((_, id) => id))
    for (const client of clients) client.socket.destroy()
  })

  it('serves a new client when 1,000 wait and 200 more have sent half a message', async () => {
    const clients: TcpClient[] = []
    for (let count = 0; count < 1200; count++) clients.push(await TcpClient.open(server.port))
    for (const client of clients.slice(1000)) client.socket.write(framed(alice(1)).subarray(0, 20))
    const newcomer = await TcpClient.open(server.port)
    expect((await newcomer.ask(alice(7)))?.id).toBe(7)
    for (const client of [...clients, newcomer]) client.socket.destroy()
  })

  it('closes the connection that was served longest ago when there are too many', async () => {
    const small = await serve([zone], { tcpLimits: { maxConnections: 3 } })
    const [first, second, third] = [
      await TcpClient.open(small.port),
      await TcpClient.open(small.port),
      await TcpClient.open(small.port),
    ]
    await first.ask(alice(1))
    const fourth = await TcpClient.open(small.port)
    await second.closed
    expect((await third.ask(alice(3)))?.id).toBe(3)
    expect((await fourth.ask(alice(4)))?.id).toBe(4)
    expect((await first.ask(alice(5)))?.id).toBe(5)
    expect(await small.closings(1)).toEqual(['evicted'])
    for (const client of [first, third, fourth]) client.socket.destroy()
    await small.close()
  })

  it('survives clients that reset connections', async () => {
    for (let count = 0; count < 50; count++) {
      const client = await TcpClient.open(server.port)
      client.socket.write(framed(alice(1)))
      client.socket.resetAndDestroy()
    }
    const client = await TcpClient.open(server.port)
    expect((await client.ask(alice(1)))?.id).toBe(1)
    client.socket.destroy()
  })
})

describe('RFC 7766 §6.2.4: the server stops', () => {
  it('after the answers in progress, and accepts no new connection', async () => {
    const stopping = await serve([zone])
    const client = await TcpClient.open(stopping.port)
    const idle = await TcpClient.open(stopping.port)
    expect((await client.ask(requestOctets('big.home.test', 'A')))?.answer).toHaveLength(3900)
    await stopping.close()
    client.socket.end()
    idle.socket.end()
    await Promise.all([client.closed, idle.closed])
    expect(await stopping.closings(2)).toEqual(['shutdown', 'shutdown'])
    await expect(TcpClient.open(stopping.port)).rejects.toThrow('ECONNREFUSED')
  })
})
