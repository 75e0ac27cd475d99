/* The TSIG record as octets (RFC 8945 §4.2), and its position in a message. */
import { TYPE } from '../names/index.ts'
import { HEADER_BYTES } from './header.ts'
import { uint16At, uint32At } from '../names/octets.ts'
import { findNameEnd } from './name-end.ts'

export interface TsigRecord {
  /** The name of the key as received. */
  readonly owner: Uint8Array
  /** The name of the algorithm as received. */
  readonly algorithm: Buffer
  /** Seconds since 1970; 48 bits. */
  readonly timeSeconds: number
  readonly fudgeSeconds: number
  readonly mac: Buffer
  readonly originalId: number
  readonly error: number
  readonly other: Buffer
}

/** A TSIG record and its offset, where the signed octets end. */
export interface PlacedTsig {
  readonly record: TsigRecord
  readonly at: number
}

const CLASS_ANY = 255
const FIXED_BYTES = 10
const UINT32 = 2 ** 32

/**
 * The TSIG record at the end of a message.
 *
 * @returns undefined without a complete, uncompressed TSIG record in the right place. The request parser then
 * reads the message and refuses it
 */
export function findTsig(message: Uint8Array): PlacedTsig | undefined {
  // Most messages have no additional record, or only OPT.
  if (message.length < HEADER_BYTES || uint16At(message, 10) === 0) return undefined
  const at = lastRecordAt(message)
  if (at === undefined) return undefined
  const owner = findNameEnd(message, at)
  if (owner === undefined || owner.compressed) return undefined
  const rdataAt = owner.end + FIXED_BYTES
  const isTsig =
    uint16At(message, owner.end) === TYPE.TSIG && uint16At(message, owner.end + 2) === CLASS_ANY
  if (!isTsig || rdataAt + uint16At(message, owner.end + 8) !== message.length) return undefined
  const octets = Buffer.from(message.buffer, message.byteOffset, message.length)
  const record = readRdata(octets.subarray(at, owner.end), octets.subarray(rdataAt))
  return record && { record, at }
}

/**
 * The offset of the last record of a message; undefined without records or when a record before it is
 * invalid.
 */
function lastRecordAt(message: Uint8Array): number | undefined {
  let at = HEADER_BYTES
  for (let questions = uint16At(message, 4); questions > 0; questions--) {
    const name = findNameEnd(message, at)
    if (name === undefined) return undefined
    at = name.end + 4
  }
  const records = uint16At(message, 6) + uint16At(message, 8) + uint16At(message, 10)
  for (let left = records - 1; left > 0; left--) {
    const name = findNameEnd(message, at)
    if (name === undefined || name.end + FIXED_BYTES > message.length) return undefined
    at = name.end + FIXED_BYTES + uint16At(message, name.end + 8)
  }
  return at < message.length ? at : undefined
}

function readRdata(owner: Buffer, rdata: Buffer): TsigRecord | undefined {
  const algorithm = findNameEnd(rdata, 0)
  if (algorithm === undefined || algorithm.compressed) return undefined
  const timeAt = algorithm.end
  const macAt = timeAt + 10
  const idAt = macAt + uint16At(rdata, timeAt + 8)
  const otherAt = idAt + 6
  if (otherAt + uint16At(rdata, idAt + 4) !== rdata.length) return undefined
  return {
    owner,
    algorithm: rdata.subarray(0, timeAt),
    timeSeconds: uint16At(rdata, timeAt) * UINT32 + uint32At(rdata, timeAt + 2),
    fudgeSeconds: uint16At(rdata, timeAt + 6),
    mac: rdata.subarray(macAt, idAt),
    originalId: uint16At(rdata, idAt),
    error: uint16At(rdata, idAt + 2),
    other: rdata.subarray(otherAt),
  }
}

/** A time in 48 bits, as in the record. */
export function uint48(seconds: number): Buffer {
  const octets = Buffer.alloc(6)
  octets.writeUIntBE(seconds, 0, 6)
  return octets
}

/** The record with its owner, as in a message. */
export function tsigOctets(record: TsigRecord): Buffer {
  const { owner, algorithm, mac, other } = record
  const rdataBytes = algorithm.length + 16 + mac.length + other.length
  const octets = Buffer.alloc(owner.length + FIXED_BYTES + rdataBytes)
  octets.set(owner)
  let at = owner.length
  at = octets.writeUInt16BE(TYPE.TSIG, at)
  at = octets.writeUInt16BE(CLASS_ANY, at)
  at = octets.writeUInt32BE(0, at)
  at = octets.writeUInt16BE(rdataBytes, at)
  at += algorithm.copy(octets, at)
  at = octets.writeUIntBE(record.timeSeconds, at, 6)
  at = octets.writeUInt16BE(record.fudgeSeconds, at)
  at = octets.writeUInt16BE(mac.length, at)
  at += mac.copy(octets, at)
  at = octets.writeUInt16BE(record.originalId, at)
  at = octets.writeUInt16BE(record.error, at)
  at = octets.writeUInt16BE(other.length, at)
  other.copy(octets, at)
  return octets
}

/** The message with one more additional record. */
export function withRecord(message: Uint8Array, record: Uint8Array): Buffer {
  const octets = Buffer.concat([message, record])
  octets.writeUInt16BE(uint16At(message, 10) + 1, 10)
  return octets
}

/** The octets that a TSIG record signs: the message before the record was added. */
export function withoutRecord(message: Uint8Array, { record, at }: PlacedTsig): Buffer {
  const octets = Buffer.from(message.subarray(0, at))
  octets.writeUInt16BE(uint16At(message, 10) - 1, 10)
  // A forwarder may have changed the ID.
  octets.writeUInt16BE(record.originalId, 0)
  return octets
}
