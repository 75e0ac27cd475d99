/*
 * A flood over real sockets, against a daemon in a separate process with its default limits. The whole of 127/8 is this
 * machine, so clients can have addresses in many networks.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ZoneTable } from '../../src/table/index.ts'
import { serveInProcess, type ServingDaemon } from '../support/serving-daemon.ts'
import { read, type Read } from '../support/ask.ts'
import { ednsWith, optionOctets, requestOctets } from '../support/request-octets.ts'
import { TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const COOKIE = 10
const ROUNDS = 250
const FLOODED_EACH_ROUND = 40
const FLOODERS = ['127.66.0.1', '127.66.0.2', '127.66.0.200']
const OTHERS = ['127.1.0.1', '127.2.0.1', '127.66.1.1', '127.67.0.1']

const hosts = Array.from({ length: ROUNDS }, (_, n) => `h${n} 60 A 192.0.2.${n % 256}`)
let daemon: ServingDaemon
const sockets: Socket[] = []
beforeAll(async () => {
  const zonesIn = (table: ZoneTable) => [zoneFromText('home.test.', hosts.join('\n'), table)]
  daemon = await serveInProcess(zonesIn, { RATE_LIMITS: 'on' })
})
afterAll(async () => {
  for (const socket of sockets) socket.close()
  await daemon.stop()
})

/** A client with an address, and its received answers. */
async function clientAt(address: string): Promise<{ socket: Socket; got: Read[] }> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 22 })
  sockets.push(socket)
  const bound = once(socket, 'listening')
  socket.bind(0, address)
  await bound
  const got: Read[] = []
  socket.on('message', (octets: Buffer) => got.push(read(octets)))
  return { socket, got }
}

/** Sends a query and waits; undefined without an answer in that time. */
async function ask(socket: Socket, packet: Buffer, waitMs = 5000): Promise<Read | undefined> {
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(waitMs) })
  socket.send(packet, daemon.port, '127.0.0.1')
  const [octets] = (await answered.catch(() => [])) as [Buffer?]
  return octets && read(octets)
}

describe('a flood of names that do not exist, from one network', () => {
  const flooded: Read[] = []
  const lost: string[] = []

  it('does not affect clients of other networks: all get complete answers', async () => {
    const flooders = await Promise.all(FLOODERS.map(clientAt))
    const others = await Promise.all(OTHERS.map(clientAt))
    for (let round = 0; round < ROUNDS; round++) {
      for (let turn = 0; turn < FLOODED_EACH_ROUND; turn++) {
        const name = `no-${round}-${turn}.home.test`
        const packet = requestOctets(name, 'A', { edns: {} })
        flooders[turn % flooders.length]?.socket.send(packet, daemon.port, '127.0.0.1')
      }
      const packet = requestOctets(`h${round}.home.test`, 'A', { edns: {} })
      const replies = await Promise.all(others.map(({ socket }) => ask(socket, packet)))
      lost.push(...OTHERS.filter((_, index) => replies[index]?.answer.length !== 1))
    }
    flooded.push(...flooders.flatMap(({ got }) => got))
    expect(lost).toEqual([])
  })

  it('gets at most one full answer in twenty, and no more octets than it sent', () => {
    const sent = ROUNDS * FLOODED_EACH_ROUND
    const full = flooded.filter(({ rcode }) => rcode === 'NXDOMAIN')
    const short = flooded.filter(({ flags }) => flags === 'qr tc')
    const share = (100 * full.length) / sent
    process.stdout.write(
      `flood: ${sent} sent, ${share.toFixed(1)} % full, ${short.length} with TC\n`,
    )
    expect(full.length + short.length).toBe(flooded.length)
    expect(full.length).toBeGreaterThan(0)
    expect(full.length).toBeLessThanOrEqual(sent / 20)
    // Half of the limited answers, by chance: far from none and from all.
    expect(short.length).toBeGreaterThan(sent / 4)
    expect(short.length).toBeLessThan((sent * 3) / 4)
    const ownBytes = requestOctets('no-00-00.home.test', 'A', { edns: {} }).length
    expect(Math.max(...short.map(({ octets }) => octets.length))).toBeLessThanOrEqual(ownBytes + 2)
  })

  it('does not block existing names for its network', async () => {
    const { socket } = await clientAt('127.66.0.9')
    const reply = await ask(socket, requestOctets('h1.home.test', 'A'))
    expect(reply?.answer).toHaveLength(1)
  })

  it('does not block TCP for its network', async () => {
    const client = await TcpClient.open(daemon.port, '127.0.0.1', FLOODERS[0])
    const replies: (Read | undefined)[] = []
    for (let id = 0; id < 50; id++) {
      replies.push(await client.ask(requestOctets(`no-${id}.home.test`, 'A', { id })))
    }
    expect(new Set(replies.map((reply) => reply?.rcode))).toEqual(new Set(['NXDOMAIN']))
    client.socket.destroy()
  })

  it('does not block UDP for clients with a cookie', async () => {
    const { socket } = await clientAt('127.66.0.9')
    const own = '1122334455667788'
    const packetWith = (cookie: string) =>
      requestOctets('nobody.home.test', 'A', { edns: ednsWith(optionOctets(COOKIE, cookie)) })
    // Each answer contains the server's cookie; over the rate, one in two is sent.
    let cookie = own
    for (let tries = 0; tries < 30 && cookie === own; tries++) {
      cookie = (await ask(socket, packetWith(own), 300))?.opt?.options[COOKIE] ?? own
    }
    expect(cookie).toHaveLength(48)
    for (let turn = 0; turn < 50; turn++) {
      const reply = await ask(socket, packetWith(cookie))
      expect([reply?.rcode, reply?.authority.length]).toEqual(['NXDOMAIN', 1])
    }
  })
})
