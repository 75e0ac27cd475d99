/** DNS messages of the servers for tests: complete answers without compression, and without any rule of DNS. */
import {
  nameFromText,
  nameToText,
  rdataFromText,
  ROOT_NAME,
  typeFromText,
  typeToText,
} from '@homing/dnsd/names'

/** A record as text: `['example.test', 'NS', 'ns1.example.test.']`. Owners are absolute without the final dot, the root is empty. */
export type TextRecord = readonly [owner: string, type: string, data: string]

export interface DnsQuery {
  readonly id: number
  /** In lower case, without the final dot; the root is empty. */
  readonly name: string
  readonly type: string
  readonly transport: 'udp' | 'tcp'
  /** The octets of the question, in the letter case of the client. */
  readonly question: Buffer
}

export interface DnsReply {
  readonly rcode?: 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED'
  readonly isAuthoritative?: boolean
  readonly isTruncated?: boolean
  readonly answers?: readonly TextRecord[]
  readonly authorities?: readonly TextRecord[]
  readonly additionals?: readonly TextRecord[]
}

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']
const HEADER_OCTETS = 12
const TTL_SECONDS = 60

/** @throws when the message is not a question */
export function readQuery(message: Buffer, transport: 'udp' | 'tcp'): DnsQuery {
  let end = HEADER_OCTETS
  while ((message[end] ?? 0) > 0) end += 1 + (message[end] ?? 0)
  const number = message.readUInt16BE(end + 1)
  const name = nameToText(message.subarray(HEADER_OCTETS, end + 1)).toLowerCase()
  return {
    id: message.readUInt16BE(0),
    name: name === '.' ? '' : name,
    type: typeToText(number),
    transport,
    question: message.subarray(HEADER_OCTETS, end + 5),
  }
}

function wireRecord([owner, type, data]: TextRecord): Buffer {
  const number = typeFromText(type)
  const rdata = rdataFromText(number, data, ROOT_NAME)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(number, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(TTL_SECONDS, 4)
  fixed.writeUInt16BE(rdata.length, 8)
  return Buffer.concat([nameFromText(owner === '' ? '.' : owner, ROOT_NAME), fixed, rdata])
}

/** The reply to a query, whose question it repeats. */
export function writeReply(query: DnsQuery, reply: DnsReply): Buffer {
  const sections = [reply.answers, reply.authorities, reply.additionals].map((each) => each ?? [])
  const header = Buffer.alloc(HEADER_OCTETS)
  header.writeUInt16BE(query.id, 0)
  header.writeUInt8(0x80 | (reply.isAuthoritative ? 4 : 0) | (reply.isTruncated ? 2 : 0), 2)
  header.writeUInt8(RCODES.indexOf(reply.rcode ?? 'NOERROR'), 3)
  header.writeUInt16BE(1, 4)
  sections.forEach((records, index) => header.writeUInt16BE(records.length, 6 + 2 * index))
  return Buffer.concat([header, query.question, ...sections.flat().map(wireRecord)])
}
