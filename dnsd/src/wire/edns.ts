import { TYPE } from '../names/index.ts'
import {
  NO_OPTIONS,
  optionOctets,
  readOptions,
  type AnswerOptions,
  type RequestOptions,
} from './edns-options.ts'
import { MAX_MESSAGE_BYTES } from './header.ts'

/** The OPT record of a request (RFC 6891 §6.1). */
export interface Edns {
  readonly version: number
  /** The client's UDP payload size as sent. */
  readonly payloadBytes: number
  /** The DO bit, which answers copy (RFC 3225 §3). */
  readonly dnssecOk: boolean
  /** The options of version 0. The format of later versions is unknown. */
  readonly options: RequestOptions
}

/** The only existing version. */
export const EDNS_VERSION = 0

// 1232 octets: the largest answer that rarely fragments (1280, the smallest MTU of IPv6, less its
// header and UDP's); larger answers get TC, and the client retries over TCP.
const OUR_PAYLOAD_BYTES = 1232
// RFC 1035 §4.2.1; RFC 6891 §6.2.3: smaller sizes are treated as this one.
const PLAIN_PAYLOAD_BYTES = 512

const DO_BIT = 0x8000

/** The size limit of an answer over this transport. */
export function limitBytes(transport: 'udp' | 'tcp', edns: Edns | undefined): number {
  if (transport === 'tcp') return MAX_MESSAGE_BYTES
  const offered = Math.max(PLAIN_PAYLOAD_BYTES, edns?.payloadBytes ?? 0)
  return Math.min(OUR_PAYLOAD_BYTES, offered)
}

/**
 * Parses an OPT record. Its fixed fields are where other records have class and TTL.
 *
 * @param qclass requestor's payload size
 * @param ttl extended RCODE, version and flags
 * @returns `whole: false` when its options do not fill the RDATA exactly
 */
export function readEdns(qclass: number, ttl: number, rdata: Uint8Array) {
  const version = (ttl >>> 16) & 0xff
  const options = version === EDNS_VERSION ? readOptions(rdata) : NO_OPTIONS
  const edns: Edns = {
    version,
    payloadBytes: qclass,
    dnssecOk: (ttl & DO_BIT) !== 0,
    options: options ?? NO_OPTIONS,
  }
  return { edns, whole: options !== undefined }
}

/**
 * The OPT record of this server: root owner, payload size, upper RCODE bits, version 0, DO copied,
 * options.
 */
export function optRecord(edns: Edns, rcode: number, answerOptions: AnswerOptions = {}): Buffer {
  const fixed = Buffer.alloc(11)
  const options = optionOctets(answerOptions)
  fixed.writeUInt16BE(TYPE.OPT, 1)
  fixed.writeUInt16BE(OUR_PAYLOAD_BYTES, 3)
  fixed[5] = rcode >>> 4
  fixed[6] = EDNS_VERSION
  fixed.writeUInt16BE(edns.dnssecOk ? DO_BIT : 0, 7)
  fixed.writeUInt16BE(options.length, 9)
  return options.length === 0 ? fixed : Buffer.concat([fixed, options])
}
