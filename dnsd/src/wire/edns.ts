import { TYPE } from '../names/index.ts'
import { MAX_MESSAGE_BYTES } from './header.ts'
import { uint16At } from './octets.ts'

/** What a request's OPT record says (RFC 6891 §6.1). */
export interface Edns {
  readonly version: number
  /** Octets that the client can take over UDP, as it wrote them. */
  readonly payloadBytes: number
  /** The DO bit, which answers copy (RFC 3225 §3). */
  readonly dnssecOk: boolean
}

/** The one version there is. */
export const EDNS_VERSION = 0

// 1232 octets: the largest answer that rarely fragments (1280, the smallest MTU of IPv6, less its
// header and UDP's); larger ones get TC and the client comes back over TCP.
const OUR_PAYLOAD_BYTES = 1232
// RFC 1035 §4.2.1; RFC 6891 §6.2.3 has smaller announcements treated as this.
const PLAIN_PAYLOAD_BYTES = 512

const DO_BIT = 0x8000

/** Octets that an answer over this transport may take. */
export function limitBytes(transport: 'udp' | 'tcp', edns: Edns | undefined): number {
  if (transport === 'tcp') return MAX_MESSAGE_BYTES
  const offered = Math.max(PLAIN_PAYLOAD_BYTES, edns?.payloadBytes ?? 0)
  return Math.min(OUR_PAYLOAD_BYTES, offered)
}

/**
 * An OPT record's fixed fields as they stand where other records have class and TTL.
 *
 * @param qclass requestor's payload size
 * @param ttl extended RCODE, version and flags
 */
export function ednsFromRecord(qclass: number, ttl: number): Edns {
  return {
    version: (ttl >>> 16) & 0xff,
    payloadBytes: qclass,
    dnssecOk: (ttl & DO_BIT) !== 0,
  }
}

/** Whether the options fill the RDATA exactly. What they mean is not looked at (RFC 6891 §6.1.2). */
export function optionsAreWhole(rdata: Uint8Array): boolean {
  let at = 0
  while (at + 4 <= rdata.length) {
    at += 4 + uint16At(rdata, at + 2)
  }
  return at === rdata.length
}

/** Our own OPT record: root owner, our payload, upper RCODE bits, version 0, DO copied, no options. */
export function optRecord(edns: Edns, rcode: number): Buffer {
  const record = Buffer.alloc(11)
  record.writeUInt16BE(TYPE.OPT, 1)
  record.writeUInt16BE(OUR_PAYLOAD_BYTES, 3)
  record[5] = rcode >>> 4
  record[6] = EDNS_VERSION
  record.writeUInt16BE(edns.dnssecOk ? DO_BIT : 0, 7)
  return record
}
