import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { freePorts } from '../../../test/free-ports.ts'
import { read, type Read } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const alice = (id: number) => requestOctets('alice.home.test', 'A', { id })

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function started(...args: Parameters<typeof serve>): Promise<TestServer> {
  const server = await serve(...args)
  open.push(server)
  return server
}

function udpClient(type: 'udp4' | 'udp6' = 'udp4'): Socket {
  const socket = createSocket(type)
  open.push(socket)
  return socket
}

async function askUdp(socket: Socket, packet: Buffer, port: number, host: string): Promise<Read> {
  const arrived = once(socket, 'message')
  socket.send(packet, port, host)
  const [octets, from] = (await arrived) as [Buffer, { address: string; port: number }]
  expect([from.address, from.port]).toEqual([host, port])
  return read(octets)
}

describe('startDnsServer', () => {
  it('answers on UDP and TCP of every address, with one port', async () => {
    const { port, listeners } = await started([zone], { hosts: ['127.0.0.1', '127.0.0.2', '::1'] })
    expect(listeners).toHaveLength(6)
    expect(new Set(listeners.map((listener) => listener.port))).toEqual(new Set([port]))
    for (const host of ['127.0.0.1', '127.0.0.2', '::1']) {
      const socket = udpClient(host === '::1' ? 'udp6' : 'udp4')
      expect((await askUdp(socket, alice(1), port, host)).answer).toHaveLength(1)
      const client = await TcpClient.open(port, host)
      expect((await client.ask(alice(2)))?.answer).toHaveLength(1)
      client.socket.destroy()
    }
  })

  it('accepts IPv4 and IPv6 wildcards together', async () => {
    const { port } = await started([zone], { hosts: ['0.0.0.0', '::'] })
    expect((await askUdp(udpClient(), alice(1), port, '127.0.0.1')).id).toBe(1)
    expect((await askUdp(udpClient('udp6'), alice(2), port, '::1')).id).toBe(2)
  })

  it('listens on nothing when one address is taken', async () => {
    // A port that the system chooses may belong to a connection at the other address.
    const [port = 0] = await freePorts(1)
    await started([zone], { hosts: ['127.0.0.2'], port })
    const both = serve([zone], { hosts: ['127.0.0.1', '127.0.0.2'], port })
    await expect(both).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.2:${port}`)
    const free = await started([zone], { hosts: ['127.0.0.1'], port })
    expect(free.port).toBe(port)
  })

  it('answers queries and ignores other packets', async () => {
    const { port } = await started([zone])
    const socket = udpClient()
    const response = alice(1)
    response.writeUInt16BE(0x8000, 2)
    for (const silent of [Buffer.alloc(0), Buffer.alloc(11), response]) {
      socket.send(silent, port, '127.0.0.1')
    }
    // Datagrams on one socket are answered in order: the answer to an earlier one would come first.
    expect((await askUdp(socket, alice(2), port, '127.0.0.1')).id).toBe(2)
  })

  it('truncates over UDP an answer that is complete over TCP', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => `big 60 A 192.0.2.${n}`)
    const { port } = await started([zoneFromText('home.test.', lines.join('\n'))])
    const packet = requestOctets('big.home.test', 'A', { edns: { payloadBytes: 4096 } })
    expect((await askUdp(udpClient(), packet, port, '127.0.0.1')).flags).toBe('qr aa tc')
    const client = await TcpClient.open(port)
    expect((await client.ask(packet))?.answer).toHaveLength(100)
    client.socket.destroy()
  })

  it('shares its addresses on request', async () => {
    const first = await started([zone], { reusePort: true })
    const second = await started([zone], { reusePort: true, port: first.port })
    expect(second.port).toBe(first.port)
    expect((await askUdp(udpClient(), alice(1), first.port, '127.0.0.1')).id).toBe(1)
  })
})
