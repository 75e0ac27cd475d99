/*
 * Decides whether a response is acceptable for a packet. It does not know the contents of the
 * zones: it checks what must hold for every packet.
 */
import { NotStrict, parseStrictly, type StrictMessage } from './strict-parser.ts'

const HEADER_BYTES = 12
const FLAG = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100, RA: 0x0080, Z: 0x0040, AD: 0x0020 }
const CD = 0x0010
const RCODE = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4, YXDOMAIN: 6 }
const OPCODE_QUERY = 0
const TCP_KEEPALIVE = 11
const PLAIN_BYTES = 512
const MOST_UDP_BYTES = 1232
const MOST_TCP_BYTES = 65_535
const MOST_TTL = 0x7fff_ffff
// Types that no question may have: OPT, TKEY and TSIG.
const NEVER_ASKED = new Set([41, 249, 250])

export type Transport = 'udp' | 'tcp'

/**
 * @param answer undefined without a response
 * @returns the error, or undefined
 */
export function faultOf(
  packet: Buffer,
  answer: Buffer | undefined,
  transport: Transport,
): string | undefined {
  if (packet.length < HEADER_BYTES || (packet.readUInt16BE(2) & FLAG.QR) !== 0) {
    return answer === undefined ? undefined : 'an answer to what must not be answered'
  }
  if (answer === undefined) return 'no answer'
  let message: StrictMessage
  try {
    message = parseStrictly(answer)
  } catch (error) {
    if (error instanceof NotStrict) return `an answer that cannot be read: ${error.message}`
    throw error
  }
  const request = strictRequest(packet)
  return (
    headerFault(packet, message) ??
    questionFault(packet, request, message) ??
    sizeFault(answer, request, transport) ??
    recordsFault(message) ??
    (request === undefined
      ? refusalFault(message)
      : acceptanceFault(request, message, transport === 'tcp' && hasKeepaliveTime(packet, request)))
  )
}

/** The request as the strict parser reads it; undefined when it is invalid. */
function strictRequest(packet: Buffer): StrictMessage | undefined {
  try {
    const request = parseStrictly(packet)
    return request.question === undefined ? undefined : request
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}

function headerFault(packet: Buffer, answer: StrictMessage): string | undefined {
  const asked = packet.readUInt16BE(2)
  const { flags } = answer
  if (answer.id !== packet.readUInt16BE(0)) return 'another ID'
  if ((flags & FLAG.QR) === 0) return 'an answer that is a question'
  if (answer.opcode !== ((asked >>> 11) & 0xf)) return 'another opcode'
  // The meaning of the bits in messages of other opcodes is unknown (RFC 8906 §3.1.4).
  const copied = answer.opcode === OPCODE_QUERY ? asked & (FLAG.RD | CD) : 0
  if ((flags & (FLAG.RD | CD)) !== copied) return 'RD or CD is not that of the question'
  if ((flags & (FLAG.RA | FLAG.Z | FLAG.AD)) !== 0) return 'RA, Z or AD is set'
  return undefined
}

function questionFault(
  packet: Buffer,
  request: StrictMessage | undefined,
  { question }: StrictMessage,
): string | undefined {
  if (request?.question !== undefined && question === undefined) return 'the question is missing'
  if (question === undefined) return undefined
  const echoed = packet.subarray(HEADER_BYTES, HEADER_BYTES + question.length)
  return question.equals(echoed) ? undefined : 'another question'
}

function sizeFault(
  answer: Buffer,
  request: StrictMessage | undefined,
  transport: Transport,
): string | undefined {
  const offered = Math.max(PLAIN_BYTES, request?.opt?.rclass ?? MOST_UDP_BYTES)
  const most = transport === 'tcp' ? MOST_TCP_BYTES : Math.min(MOST_UDP_BYTES, offered)
  return answer.length > most ? `${answer.length} octets where ${most} are the most` : undefined
}

/** RRsets are whole sets: one TTL, and no record twice (RFC 2181 §5). */
function recordsFault({ records, rcode, flags }: StrictMessage): string | undefined {
  const ttls = new Map<string, number>()
  for (const { section, owner, type, rclass, ttl } of records) {
    if (rclass !== 1 && rclass !== 3) return `a record of class ${rclass}`
    if (ttl > MOST_TTL) return `a TTL of ${ttl}`
    const set = `${section} ${type} ${owner}`
    if ((ttls.get(set) ?? ttl) !== ttl) return 'two TTLs in one RRset'
    ttls.set(set, ttl)
  }
  const hasAnswer = records.some(({ section }) => section === 'answer')
  const tells = rcode === RCODE.NOERROR || rcode === RCODE.NXDOMAIN || rcode === RCODE.YXDOMAIN
  if (hasAnswer && !tells) return `an answer section with RCODE ${rcode}`
  if (hasAnswer && (flags & FLAG.AA) === 0) return 'an answer section without AA'
  return undefined
}

/**
 * A packet that the strict parser refuses must get FORMERR, or NOTIMP for its opcode, and never
 * data.
 */
function refusalFault({ records, rcode, opcode, opt, tsig }: StrictMessage): string | undefined {
  if (records.length > 0) return 'data for an invalid request'
  // The only response without a question: a cookie for a client that asks for one (RFC 7873 §5.4).
  if (rcode === RCODE.NOERROR && (opt === undefined || opt.rdataBytes === 0))
    return 'NOERROR for an invalid request'
  if (rcode === RCODE.NXDOMAIN) return 'NXDOMAIN for an invalid request'
  if (opcode !== OPCODE_QUERY && rcode !== RCODE.NOTIMP) return `RCODE ${rcode} for an opcode`
  return tsig === undefined ? undefined : 'TSIG for an invalid request'
}

/** RFC 7828 §3.1: a client must not send a time-out. Over TCP, it gets FORMERR when it does. */
function hasKeepaliveTime(packet: Buffer, { opt }: StrictMessage): boolean {
  if (opt === undefined || ((opt.ttl >>> 16) & 0xff) !== 0) return false
  const end = opt.rdataAt + opt.rdataBytes
  for (let at = opt.rdataAt; at < end; at += 4 + packet.readUInt16BE(at + 2)) {
    if (packet.readUInt16BE(at) === TCP_KEEPALIVE) return packet.readUInt16BE(at + 2) !== 0
  }
  return false
}

function acceptanceFault(
  request: StrictMessage,
  answer: StrictMessage,
  isRefused: boolean,
): string | undefined {
  const { rcode, records, opt } = answer
  if ((opt === undefined) !== (request.opt === undefined)) return 'OPT is not as in the request'
  if (request.opcode !== OPCODE_QUERY) {
    return rcode === RCODE.NOTIMP ? undefined : `RCODE ${rcode} for an opcode`
  }
  // A response cannot refer to records that queries never have.
  const mayBeRefused =
    isRefused ||
    NEVER_ASKED.has(request.qtype) ||
    request.tsig !== undefined ||
    request.records.length > 0
  if (rcode === RCODE.FORMERR && !mayBeRefused) return 'FORMERR for a request that can be read'
  if (request.tsig !== undefined && records.length > 0) return 'data for a made-up key'
  if (request.opt !== undefined && ((request.opt.ttl >>> 16) & 0xff) !== 0) {
    return rcode === 16 || mayBeRefused ? undefined : `RCODE ${rcode} for another version of EDNS`
  }
  return undefined
}
