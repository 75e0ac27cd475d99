/** A name server for tests, over UDP and TCP, which can be silent, lie and hang. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { type DnsQuery, type DnsReply, readQuery, writeReply } from './message.ts'

/** What the server says: a reply, octets as they are, or nothing. */
export type Respond = (
  query: DnsQuery,
) => DnsReply | Buffer | undefined | Promise<DnsReply | Buffer | undefined>

export interface DnsTestServer {
  readonly address: string
  readonly port: number
  /** The queries so far. */
  readonly asked: DnsQuery[]
  close(): Promise<void>
}

/** The size that clients accept (DNS Flag Day 2020). Longer replies are truncated. */
const UDP_LIMIT_OCTETS = 1_232

/** @param port 0: any free one */
export async function startDnsServer(
  address: string,
  port: number,
  respond: Respond,
): Promise<DnsTestServer> {
  const asked: DnsQuery[] = []
  const octetsFor = async (message: Buffer, transport: 'udp' | 'tcp') => {
    const query = readQuery(message, transport)
    asked.push(query)
    const reply = await respond(query)
    if (reply === undefined || Buffer.isBuffer(reply)) return reply
    const octets = writeReply(query, reply)
    const isTooLong = transport === 'udp' && octets.length > UDP_LIMIT_OCTETS
    return isTooLong ? writeReply(query, { isTruncated: true }) : octets
  }
  const connections = new Set<Socket>()
  const tcp = createServer((connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    serve(connection, octetsFor)
  })
  tcp.listen(port, address)
  await once(tcp, 'listening')
  const bound = (tcp.address() as AddressInfo).port
  const udp = await listenUdp(address, bound, octetsFor)
  return { address, port: bound, asked, close: () => closeAll(tcp, udp, connections) }
}

type OctetsFor = (message: Buffer, transport: 'udp' | 'tcp') => Promise<Buffer | undefined>

async function listenUdp(address: string, port: number, octetsFor: OctetsFor): Promise<UdpSocket> {
  const udp = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  let isClosed = false
  udp.once('close', () => (isClosed = true))
  udp.on('message', (message, from) => {
    void octetsFor(message, 'udp').then((octets) => {
      if (octets !== undefined && !isClosed)
        udp.send(octets, from.port, from.address, () => undefined)
    })
  })
  udp.bind(port, address)
  await once(udp, 'listening')
  return udp
}

/** Answers one query of a connection. Without an answer the connection stays open. */
function serve(connection: Socket, octetsFor: OctetsFor): void {
  let received = Buffer.alloc(0)
  connection.on('error', () => undefined)
  connection.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    const message = received.subarray(2, 2 + received.readUInt16BE(0))
    received = Buffer.alloc(0)
    void octetsFor(message, 'tcp').then((octets) => {
      if (octets === undefined) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(octets.length)
      connection.end(Buffer.concat([length, octets]))
    })
  })
}

async function closeAll(tcp: Server, udp: UdpSocket, open: ReadonlySet<Socket>): Promise<void> {
  udp.close()
  tcp.close()
  for (const connection of open) connection.destroy()
  await once(tcp, 'close')
}
