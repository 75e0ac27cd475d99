import { afterEach, describe, expect, it } from 'vitest'
import type { TransferSource } from '../../src/server/index.ts'
import { requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { framed, TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const ask = (id: number, type: string) => framed(requestOctets('home.test', type, { id }))

let server: TestServer
let client: TcpClient
afterEach(async () => {
  client.socket.destroy()
  await server.close()
})

/** A server whose transfers are what `messages` yields, and a client of it. */
async function transferring(
  messages: (request: Buffer) => AsyncGenerator<Buffer>,
  tcpLimits: { idleMs?: number } = {},
): Promise<void> {
  const transfers: TransferSource = {
    begin(packet, address) {
      const request = Buffer.from(packet)
      const isAxfr = request.readUInt16BE(request.length - 4) === 252
      return isAxfr && address === '127.0.0.1' ? messages(request) : undefined
    },
  }
  server = await serve([zone], { transfers, tcpLimits })
  client = await TcpClient.open(server.port)
}

/** An answer to the request with this many octets after it, which readers ignore. */
function replyTo(request: Buffer): Buffer {
  const reply = Buffer.from(request)
  reply[2] = 0x84
  return reply
}

describe('a transfer over TCP', () => {
  it('sends all of its messages, and answers other questions in between', async () => {
    const asked = Promise.withResolvers<void>()
    await transferring(async function* (request) {
      yield replyTo(request)
      await asked.promise
      yield replyTo(request)
    })
    client.socket.write(Buffer.concat([ask(1, 'AXFR'), ask(2, 'SOA')]))
    const both = await client.receive(2)
    asked.resolve()
    const [last] = await client.receive(1)
    const ids = new Set(both.map(({ id }) => id))
    expect([ids, last?.id]).toEqual([new Set([1, 2]), 1])
  })

  it('is produced as fast as it is read, and no faster', async () => {
    const bytes = 60_000
    const wanted = 2_000
    let made = 0
    await transferring(async function* (request) {
      const filled = Buffer.concat([replyTo(request), Buffer.alloc(bytes)])
      for (; made < wanted; made++) yield filled
    })
    client.socket.pause()
    client.socket.write(ask(1, 'AXFR'))
    client.socket.write(ask(2, 'SOA'))
    client.socket.removeAllListeners('data')
    let received = 0
    let mostUnderWay = 0
    client.socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      mostUnderWay = Math.max(mostUnderWay, made * bytes - received)
    })
    client.socket.resume()
    client.socket.end()
    await client.closed
    expect(made).toBe(wanted)
    expect(received).toBeGreaterThan(wanted * bytes)
    // The kernel's buffers on both sides, which are far smaller than all of it.
    expect(mostUnderWay).toBeLessThan((wanted * bytes) / 2)
  })

  it('is one of four concurrent ones of a connection', async () => {
    const finished = Promise.withResolvers<void>()
    let begun = 0
    await transferring(async function* (request) {
      begun++
      yield replyTo(request)
      await finished.promise
      yield replyTo(request)
    })
    client.socket.write(Buffer.concat([1, 2, 3, 4, 5].map((id) => ask(id, 'AXFR'))))
    expect((await client.receive(4)).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    // A client that waits for transfers must not delay others.
    const other = await TcpClient.open(server.port)
    expect((await other.ask(requestOctets('alice.home.test', 'A', { id: 9 })))?.id).toBe(9)
    other.socket.destroy()
    expect(begun).toBe(4)
    finished.resolve()
    const ids = (await client.receive(6)).map(({ id }) => id)
    expect(ids.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 5])
  })

  it('outlives the idle timeout while the client waits for it', async () => {
    // Not so short that a busy machine exceeds it between the connection and the query.
    const idleMs = 250
    await transferring(
      async function* (request) {
        await new Promise((resume) => setTimeout(resume, 3 * idleMs))
        yield replyTo(request)
      },
      { idleMs },
    )
    client.socket.write(ask(7, 'AXFR'))
    expect((await client.receive(1)).map(({ id }) => id)).toEqual([7])
    expect(await server.closings(1)).toEqual(['idle'])
  })

  it('ends when the client does not read it', async () => {
    const over = Promise.withResolvers<void>()
    await transferring(
      async function* (request) {
        try {
          for (;;) yield Buffer.concat([replyTo(request), Buffer.alloc(60_000)])
        } finally {
          over.resolve()
        }
      },
      { idleMs: 250 },
    )
    client.socket.pause()
    client.socket.write(ask(1, 'AXFR'))
    expect(await server.closings(1)).toEqual(['idle'])
    await over.promise
  })

  it('that fails closes the connection, because nothing else can inform the client', async () => {
    await transferring(async function* (request) {
      yield replyTo(request)
      throw new Error('the disk is gone')
    })
    client.socket.write(ask(1, 'AXFR'))
    expect(await server.closings(1)).toEqual(['transfer-failed'])
    expect(await client.receive(2)).toHaveLength(1)
  })
})
