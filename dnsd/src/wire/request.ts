/*
 * Parses a request from its octets.
 *
 * Written by hand because DNS libraries convert labels to text. Then `a\.b` and `a.b` are one name,
 * and octets over 127 are lost. An authoritative server needs little: the header, the octets of the
 * question, and any OPT or TSIG record. Requests with other records are refused, because parsing
 * each of their types strictly would gain nothing.
 */
import { TYPE } from '../names/index.ts'
import { readEdns, type Edns } from './edns.ts'
import { FLAG, HEADER_BYTES, OPCODE_SHIFT } from './header.ts'
import { uint16At, uint32At } from '../names/octets.ts'
import { findNameEnd } from './name-end.ts'
import { badKeyRecord, CLASS_ANY } from './tsig.ts'

/** The question as sent. `wire` and `name` are views of the packet. */
export interface Question {
  /** Wire form without compression, in the client's letter case. */
  readonly name: Buffer
  readonly type: number
  readonly qclass: number
  /** All octets of the question, to be echoed unchanged (draft-vixie-dnsext-dns0x20 §3). */
  readonly wire: Buffer
}

export interface Request {
  readonly id: number
  readonly opcode: number
  readonly recursionDesired: boolean
  readonly checkingDisabled: boolean
  /** The number of questions in the header. */
  readonly questionCount: number
  /** The question; undefined unless there is exactly one valid question. */
  readonly question: Question | undefined
  readonly edns: Edns | undefined
  /** For a signed request: the record that says that this server does not know its key. */
  readonly tsigRefusal: Buffer | undefined
  /** Whether the request carries a TSIG record. */
  readonly signed: boolean
  /** False when the message violates the format. */
  readonly wellFormed: boolean
}

/**
 * Reads a request. Never throws.
 *
 * @returns undefined for packets that must not be answered: responses, because two servers could otherwise
 * answer each other endlessly (RFC 8906 §3.1), and packets that are too short for an ID.
 */
export function readRequest(packet: Uint8Array): Request | undefined {
  if (packet.length < HEADER_BYTES) return undefined
  const flags = uint16At(packet, 2)
  if ((flags & FLAG.QR) !== 0) return undefined
  const octets = Buffer.isBuffer(packet)
    ? packet
    : Buffer.from(packet.buffer, packet.byteOffset, packet.length)
  // RFC 9619 §4: a request has one question, even though the format allows more.
  const questionCount = uint16At(octets, 4)
  const question = questionCount === 1 ? readQuestion(octets) : undefined
  // Without a question the records are still read, because an OPT record requires one in the
  // answer (RFC 6891 §6.1.1). After an invalid question they cannot be located.
  const canReadOn = question !== undefined || questionCount === 0
  const attached = canReadOn ? readRecords(octets, question) : NOTHING_READ
  return {
    id: uint16At(octets, 0),
    opcode: (flags >>> OPCODE_SHIFT) & 0xf,
    recursionDesired: (flags & FLAG.RD) !== 0,
    checkingDisabled: (flags & FLAG.CD) !== 0,
    questionCount,
    question,
    ...attached,
  }
}

function readQuestion(octets: Buffer): Question | undefined {
  const name = findNameEnd(octets, HEADER_BYTES)
  // No pointer is valid here, because no name precedes the question.
  if (name === undefined || name.compressed || name.end + 4 > octets.length) return undefined
  return {
    name: octets.subarray(HEADER_BYTES, name.end),
    type: uint16At(octets, name.end),
    qclass: uint16At(octets, name.end + 2),
    wire: octets.subarray(HEADER_BYTES, name.end + 4),
  }
}

type Attached = Pick<Request, 'edns' | 'signed' | 'tsigRefusal' | 'wellFormed'>

const NOTHING_READ: Attached = {
  edns: undefined,
  signed: false,
  tsigRefusal: undefined,
  wellFormed: false,
}

interface RequestRecord {
  readonly owner: Buffer
  readonly ownerCompressed: boolean
  readonly type: number
  readonly rclass: number
  readonly ttl: number
  readonly rdata: Buffer
  readonly end: number
}

function readRecord(octets: Buffer, start: number): RequestRecord | undefined {
  const owner = findNameEnd(octets, start)
  if (owner === undefined) return undefined
  const rdataAt = owner.end + 10
  const end = rdataAt + uint16At(octets, owner.end + 8)
  if (rdataAt > octets.length || end > octets.length) return undefined
  return {
    owner: octets.subarray(start, owner.end),
    ownerCompressed: owner.compressed,
    type: uint16At(octets, owner.end),
    rclass: uint16At(octets, owner.end + 2),
    ttl: uint32At(octets, owner.end + 4),
    rdata: octets.subarray(rdataAt, end),
    end,
  }
}

/** Skips the three sections after the question. They must end where the packet ends. */
function readRecords(octets: Buffer, question: Question | undefined): Attached {
  const beforeAuthority = uint16At(octets, 6)
  const beforeAdditional = beforeAuthority + uint16At(octets, 8)
  const total = beforeAdditional + uint16At(octets, 10)
  let at = HEADER_BYTES + (question?.wire.length ?? 0)
  let read: Attached = { ...NOTHING_READ, wellFormed: true }
  let othersAreMeant = true
  for (let index = 0; index < total && read.wellFormed; index++) {
    const record = readRecord(octets, at)
    if (record === undefined) return { ...read, wellFormed: false }
    at = record.end
    if (record.type === TYPE.OPT) read = withOpt(read, record, index >= beforeAdditional)
    else if (record.type === TYPE.TSIG) read = withTsig(read, record, index === total - 1)
    else {
      const inAuthority = index >= beforeAuthority && index < beforeAdditional
      othersAreMeant &&= inAuthority && isHeldVersion(record, question)
    }
  }
  // Octets after the last record do not belong to a record, and their meaning is unknown.
  const understood = at === octets.length && othersAreMeant
  return understood ? read : { ...read, wellFormed: false }
}

/** RFC 1995 §3: an IXFR client sends its version in the authority section. */
function isHeldVersion({ type }: RequestRecord, question: Question | undefined): boolean {
  return type === TYPE.SOA && question?.type === TYPE.IXFR
}

/** RFC 6891 §6.1.1: one OPT, owned by the root, in the additional section; anything else FORMERR. */
function withOpt(read: Attached, record: RequestRecord, inAdditional: boolean): Attached {
  const { edns, whole } = readEdns(record.rclass, record.ttl, record.rdata)
  const ownedByRoot = record.owner.length === 1
  const wellFormed = read.edns === undefined && inAdditional && ownedByRoot && whole
  return { ...read, edns, wellFormed }
}

/** RFC 8945 §5.1: the TSIG record is the last of the additional section; anything else FORMERR. */
function withTsig(read: Attached, record: RequestRecord, isLast: boolean): Attached {
  const refusal = record.ownerCompressed ? undefined : badKeyRecord(record.owner, record.rdata)
  // A compressed key name is allowed. The code alone is enough to refuse it.
  const readable = record.ownerCompressed || refusal !== undefined
  const wellFormed = isLast && record.rclass === CLASS_ANY && readable
  return { ...read, signed: true, tsigRefusal: refusal, wellFormed }
}
