/* Detects zone transfer questions from the octets of the packet. */
import { TYPE } from '../names/index.ts'
import { uint16At, uint32At } from '../names/octets.ts'
import { findNameEnd } from '../wire/name-end.ts'

const QUESTION_AT = 12
// QR and opcode: all zero in a query.
const QR_AND_OPCODE = 0xf8
const CLASS_IN = 1
// Type, class, TTL and length; also used for the numbers after the names of an SOA.
const FIXED_BYTES = 10
const SOA_NUMBERS_BYTES = 20

/** An AXFR or IXFR question. */
export interface TransferQuestion {
  /** In wire form; a view of the packet. */
  readonly apex: Buffer
  readonly type: 'AXFR' | 'IXFR'
  /** The offset of the type. */
  readonly typeAt: number
}

/** @returns undefined for any other message */
export function transferQuestion(packet: Uint8Array): TransferQuestion | undefined {
  if (((packet[2] ?? 0xff) & QR_AND_OPCODE) !== 0 || uint16At(packet, 4) !== 1) return undefined
  const name = findNameEnd(packet, QUESTION_AT)
  if (name === undefined || name.compressed) return undefined
  const type = uint16At(packet, name.end)
  if (type !== TYPE.AXFR && type !== TYPE.IXFR) return undefined
  if (uint16At(packet, name.end + 2) !== CLASS_IN) return undefined
  return {
    apex: Buffer.from(packet.buffer, packet.byteOffset + QUESTION_AT, name.end - QUESTION_AT),
    type: type === TYPE.AXFR ? 'AXFR' : 'IXFR',
    typeAt: name.end,
  }
}

/**
 * The serial that an IXFR client has, from the SOA record in the authority section (RFC 1995 §3).
 *
 * @returns undefined when there is no such record
 */
export function haveSerial(packet: Uint8Array, { typeAt }: TransferQuestion): number | undefined {
  const hasOneRecord = uint16At(packet, 6) === 0 && uint16At(packet, 8) === 1
  const owner = findNameEnd(packet, typeAt + 4)
  if (!hasOneRecord || owner === undefined || uint16At(packet, owner.end) !== TYPE.SOA) {
    return undefined
  }
  const mname = findNameEnd(packet, owner.end + FIXED_BYTES)
  const rname = mname && findNameEnd(packet, mname.end)
  const isWhole = rname !== undefined && rname.end + SOA_NUMBERS_BYTES <= packet.length
  return isWhole ? uint32At(packet, rname.end) : undefined
}
