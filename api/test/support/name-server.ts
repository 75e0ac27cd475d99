/** A name server for tests, whose answers can change with each query. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { ipv4FromText, ipv6FromText } from '@homing/dnsd/names'

/** The addresses of a name, for the n-th query for its addresses of one family. */
export type Answers = (name: string, n: number) => readonly string[]

export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string
  close(): void
}

const TYPE = { A: 1, AAAA: 28 }

/** The question of a query (RFC 1035 §4.1.2). */
function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer, end: number, type: number, addresses: readonly string[]): Buffer {
  const records = addresses.map((address) => {
    const rdata = isIPv4(address) ? ipv4FromText(address) : ipv6FromText(address)
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, rdata.length])
    return Buffer.concat([head, rdata])
  })
  const header = Buffer.from(query.subarray(0, 12))
  // A response, authoritative, without an error; one question, this many answers, nothing else.
  header.writeUInt16BE(0x8580, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

/** Answers every question for A and AAAA over UDP on loopback. */
export async function startNameServer(answers: Answers): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    const n = (asked.get(`${name} ${type}`) ?? 0) + 1
    asked.set(`${name} ${type}`, n)
    const addresses = answers(name, n).filter((address) =>
      isIPv4(address) ? type === TYPE.A : type === TYPE.AAAA,
    )
    socket.send(answerTo(query, end, type, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return { address: `127.0.0.1:${port}`, close: () => void socket.close() }
}
