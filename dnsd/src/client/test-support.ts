/* A name server with the answers of a test, over UDP and TCP on one port of loopback. */
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet } from 'dns-packet'
import { afterEach } from 'vitest'
import type { DnsServer } from './server.ts'

export interface ReceivedQuestion {
  readonly octets: Buffer
  readonly transport: 'udp' | 'tcp'
  /** The sender over UDP, to whom answers go. */
  readonly from: RemoteInfo | undefined
}

/** The messages that a server sends, in order; empty for silence. */
export type Reply = (asked: ReceivedQuestion) => Buffer | readonly Buffer[]

export interface TestNameServer extends DnsServer {
  readonly asked: ReceivedQuestion[]
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

export async function nameServer(reply: Reply): Promise<TestNameServer> {
  const asked: ReceivedQuestion[] = []
  const repliesTo = (one: ReceivedQuestion): readonly Buffer[] => {
    asked.push(one)
    return [reply(one)].flat()
  }
  const tcp = createServer((connection) => {
    serveConnection(connection, (octets) =>
      repliesTo({ octets, transport: 'tcp', from: undefined }),
    )
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const address = tcp.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const udp = createSocket('udp4', (octets, from) => {
    for (const message of repliesTo({ octets, transport: 'udp', from })) {
      udp.send(message, from.port, from.address)
    }
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  closers.push(() => {
    udp.close()
    tcp.close()
  })
  return { address: '127.0.0.1', port, asked }
}

/** Answers the one question of a connection, one octet at a time, and ends it. */
function serveConnection(connection: Socket, repliesTo: (octets: Buffer) => readonly Buffer[]) {
  connection.on('error', () => undefined)
  connection.once('data', (framed: Buffer) => {
    for (const message of repliesTo(framed.subarray(2))) {
      const length = Buffer.from([message.length >> 8, message.length & 0xff])
      for (const octet of Buffer.concat([length, message])) connection.write(Buffer.of(octet))
    }
    connection.end()
  })
}

/** A port on which nothing listens. */
export async function nothingThere(): Promise<DnsServer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  return { address: '127.0.0.1', port }
}

const AA = 0x0400

/** An authoritative answer to a question, whose octets it repeats. */
export function answerTo(
  { octets }: Pick<ReceivedQuestion, 'octets'>,
  { flags = AA, ...sections }: Omit<Packet, 'id' | 'type' | 'questions'> = {},
): Buffer {
  const { id, questions } = decode(octets)
  return encode({ type: 'response', id, flags, questions, ...sections })
}

const A = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 60, data })

/** The question that most tests ask. */
export const QUESTION = { name: 'home.test', type: 'A' }

/** Answers `QUESTION` with one address. */
export const address =
  (data: string): Reply =>
  (asked) =>
    answerTo(asked, { answers: [A('home.test', data)] })

export const addressesIn = (
  records: readonly { readonly type: string; readonly data: unknown }[],
) => records.filter(({ type }) => type === 'A').map(({ data }) => data)
