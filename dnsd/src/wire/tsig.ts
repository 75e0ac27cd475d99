/*
 * The transaction signature record of a request (RFC 8945 §4.2), as far as a server without keys
 * needs it: to answer that it does not know the key.
 */
import { TYPE } from '../names/index.ts'
import { uint16At } from '../names/octets.ts'
import { findNameEnd } from './name-end.ts'

/** The class of a TSIG record. */
export const CLASS_ANY = 255
const BADKEY = 17

// After the algorithm name: time signed (6), fudge (2), MAC size (2), MAC, original ID (2),
// error (2), other length (2), other data.
const TIME_AND_FUDGE_BYTES = 8
const AFTER_MAC_BYTES = 6

/**
 * The record that refuses a request's TSIG: error BADKEY, neither signed nor checked, without a MAC
 * (RFC 8945 §5.3.2). Key name, algorithm, time and ID are copied from the request, so that the
 * client can match it to its request.
 *
 * @param owner the key name in wire form, uncompressed
 * @param rdata the RDATA of the request's TSIG record
 * @returns undefined when the RDATA is not valid for a TSIG record
 */
export function badKeyRecord(owner: Uint8Array, rdata: Uint8Array): Buffer | undefined {
  const algorithm = findNameEnd(rdata, 0)
  if (algorithm === undefined || algorithm.compressed) return undefined
  const macSizeAt = algorithm.end + TIME_AND_FUDGE_BYTES
  const macBytes = uint16At(rdata, macSizeAt)
  const originalIdAt = macSizeAt + 2 + macBytes
  const otherAt = originalIdAt + AFTER_MAC_BYTES
  const otherBytes = uint16At(rdata, otherAt - 2)
  if (otherAt + otherBytes !== rdata.length) return undefined
  const reply = Buffer.concat([
    rdata.subarray(0, macSizeAt),
    Buffer.from([0, 0]),
    rdata.subarray(originalIdAt, originalIdAt + 2),
    Buffer.from([0, BADKEY, 0, 0]),
  ])
  // Type, class, TTL 0 and RDATA length.
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(TYPE.TSIG, 0)
  fixed.writeUInt16BE(CLASS_ANY, 2)
  fixed.writeUInt16BE(reply.length, 8)
  return Buffer.concat([owner, fixed, reply])
}
