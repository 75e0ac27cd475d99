/* Answers as parsed by dns-packet, after checks that dns-packet does not make. */
import {
  decode,
  type Answer,
  type BaseAnswer,
  type DecodedPacket,
  type OptAnswer,
  type TxtAnswer,
} from 'dns-packet'
import { typeToText } from '../names/index.ts'
import { checkLabels } from './labels.ts'
import type { Query } from './question.ts'
import type { DnsServer } from './server.ts'

/** The data of a parsed record for each type. The types of the package omit fields that are always present. */
type ReadRecord<R extends Answer> = R extends TxtAnswer
  ? ReadAs<'TXT', readonly Buffer[]>
  : R extends BaseAnswer<infer Type, infer Data>
    ? Type extends string
      ? ReadAs<Type, Data extends string | Buffer ? Data : Required<Data>>
      : never
    : never

interface ReadAs<Type, Data> {
  readonly name: string
  readonly type: Type
  /** In seconds. */
  readonly ttl: number
  readonly data: Data
}

/** A record of a type that dns-packet does not parse: `data` has the octets of its RDATA. */
export type OpaqueRecord = ReadAs<'HTTPS' | 'SVCB' | `TYPE${number}`, Buffer>

/**
 * One record. `type` determines the form of `data`. Names are text without a final dot, in lower case: names that end
 * like the question would otherwise have its random letter case.
 */
export type DnsRecord = ReadRecord<Exclude<Answer, OptAnswer>> | OpaqueRecord

/** An extended error (RFC 8914). */
export interface ExtendedError {
  readonly code: number
  /** An explanation by the server; usually empty. */
  readonly text: string
}

/** The answer of a server to a question. */
export interface DnsAnswer {
  /**
   * The name of the code (RFC 6895 §2.3), including the upper bits from the OPT record; `RCODE_n` for a code without a
   * name.
   */
  readonly rcode: string
  /** AA: the server answers for the zone itself. */
  readonly authoritative: boolean
  /** RA: the server offers recursion. */
  readonly recursionAvailable: boolean
  /** AD: the server has validated the answer with DNSSEC. */
  readonly authenticData: boolean
  readonly answers: readonly DnsRecord[]
  readonly authorities: readonly DnsRecord[]
  /** The records without the OPT record. */
  readonly additionals: readonly DnsRecord[]
  readonly extendedErrors: readonly ExtendedError[]
  readonly server: DnsServer
  readonly transport: 'udp' | 'tcp'
}

/** How well a message matches a query. */
export type Match =
  /** It belongs to an earlier question, is forged, or is not a response. */
  | 'none'
  /** Everything matches except the letter case of the name, which is not enough over UDP. */
  | 'other-case'
  | 'exact'

const HEADER_BYTES = 12
const QR_AND_OPCODE = 0xf8
const QR = 0x80
const RCODE_BITS = 0x0f
const FORMERR = 1
const NOTIMP = 4
const OPTION_EXTENDED_ERROR = 15
// The codes of RFC 6895 §2.3 that need an OPT record. The library knows the others.
const HIGH_RCODES: Readonly<Record<number, string>> = { 16: 'BADVERS', 23: 'BADCOOKIE' }

/** Compares ID, QR, opcode and question with those of the query. Reads only octets and never throws. */
export function matchOf(message: Buffer, { id, question }: Query): Match {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== id) return 'none'
  if (((message[2] ?? 0) & QR_AND_OPCODE) !== QR) return 'none'
  const rcode = (message[3] ?? 0) & RCODE_BITS
  const questions = message.readUInt16BE(4)
  // A server that cannot read the question may leave it out.
  if (questions === 0) return rcode === FORMERR || rcode === NOTIMP ? 'exact' : 'none'
  const repeated = message.subarray(HEADER_BYTES, HEADER_BYTES + question.length)
  if (questions !== 1 || repeated.length < question.length) return 'none'
  if (repeated.equals(question)) return 'exact'
  const folded = (octets: Buffer) => octets.toString('latin1').toLowerCase()
  return folded(repeated) === folded(question) ? 'other-case' : 'none'
}

/** TC: the answer is truncated, and complete over TCP. */
export function isTruncated(message: Buffer): boolean {
  return ((message[2] ?? 0) & 0x02) !== 0
}

/**
 * Parses a message.
 *
 * @throws Error when it is malformed
 */
export function readAnswer(
  message: Buffer,
  from: Pick<DnsAnswer, 'server' | 'transport'>,
): DnsAnswer {
  checkLabels(message)
  const packet = decode(message) as DecodedPacket & { readonly rcode: string }
  const opt = packet.additionals?.find((record) => record.type === 'OPT')
  return {
    rcode: rcodeOf(message, packet, opt),
    authoritative: packet.flag_aa,
    recursionAvailable: packet.flag_ra,
    authenticData: packet.flag_ad,
    answers: recordsOf(packet.answers),
    authorities: recordsOf(packet.authorities),
    additionals: recordsOf(packet.additionals),
    extendedErrors: extendedErrorsOf(opt),
    ...from,
  }
}

/** Whether a server may not support EDNS: it then answers without an OPT record (RFC 6891 §7). */
export function refusesEdns(message: Buffer): boolean {
  const rcode = (message[3] ?? 0) & RCODE_BITS
  return (rcode === FORMERR || rcode === NOTIMP) && message.readUInt16BE(10) === 0
}

function rcodeOf(
  message: Buffer,
  packet: { readonly rcode: string },
  opt: OptAnswer | undefined,
): string {
  const upperBits = opt?.extendedRcode ?? 0
  if (upperBits === 0) return packet.rcode
  const code = (upperBits << 4) | ((message[3] ?? 0) & RCODE_BITS)
  return HIGH_RCODES[code] ?? `RCODE_${code}`
}

function recordsOf(records: readonly Answer[] = []): DnsRecord[] {
  return records
    .filter(({ type }) => type !== 'OPT')
    .map((record) => {
      const [, unknown] = /^UNKNOWN_(\d+)$/.exec(record.type) ?? []
      const type = unknown === undefined ? record.type : typeToText(Number(unknown))
      return inLowerCase({ ...record, type } as unknown as DnsRecord)
    })
}

/** The same record with its owner and the names in its data in lower case, in types where names may be compressed. */
function inLowerCase(record: DnsRecord): DnsRecord {
  const named = { ...record, name: record.name.toLowerCase() }
  // A name, or an address, which is already in lower case.
  if (typeof named.data === 'string') {
    return { ...named, data: named.data.toLowerCase() } as DnsRecord
  }
  if (named.type === 'MX') {
    return { ...named, data: { ...named.data, exchange: named.data.exchange.toLowerCase() } }
  }
  if (named.type === 'SRV') {
    return { ...named, data: { ...named.data, target: named.data.target.toLowerCase() } }
  }
  if (named.type !== 'SOA') return named
  const { mname, rname } = named.data
  const names = { mname: mname.toLowerCase(), rname: rname.toLowerCase() }
  return { ...named, data: { ...named.data, ...names } }
}

function extendedErrorsOf(opt: OptAnswer | undefined): ExtendedError[] {
  // The types of the package include only some options.
  const options: readonly { readonly code: number; readonly data?: Buffer | undefined }[] =
    opt?.options ?? []
  return options.flatMap(({ code, data }) => {
    if (code !== OPTION_EXTENDED_ERROR || data === undefined || data.length < 2) return []
    return [{ code: data.readUInt16BE(0), text: data.toString('utf8', 2) }]
  })
}
