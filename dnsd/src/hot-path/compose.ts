/*
 * Writes the octets of an answer into the caller's buffer, from left to right. A message that does not
 * fit is abandoned and not truncated; the full message writer does that.
 */
import { RRSET_HEAD_BYTES } from '../table/index.ts'
import type { NegativeSoa } from './negative-soa.ts'
import { uint16At } from '../names/octets.ts'
import { COOKIE_BYTES } from '../wire/index.ts'
import {
  HEADER_BYTES,
  OPTION_COOKIE,
  OPTION_HEAD_BYTES,
  type PlainQuestion,
  TYPE_OPT,
} from './question.ts'

const QR_AND_AA = 0x84
const RD = 0x01
const CD = 0x10
const DO = 0x80
const CLASS_IN = 1
const POINTER_BITS = 0xc0
// RFC 1035 §4.2.1: the limit without OPT. RFC 6891 §6.2.3: smaller values in an OPT are treated as this
// one.
const PLAIN_PAYLOAD_BYTES = 512
// The largest answer that rarely fragments: 1280, the smallest MTU of IPv6, less its header and UDP's.
const OUR_PAYLOAD_BYTES = 1232

/** The size that the caller's buffer must have. */
export const ANSWER_LIMIT_BYTES = OUR_PAYLOAD_BYTES

/**
 * An answer with one RRset under the QNAME, written as a pointer to the question (also for a wildcard:
 * RFC 4592 §3.3.1).
 *
 * @param at the offset of the RRset in `segment`
 * @returns the number of octets written, 0 when the answer does not fit
 */
export function writeData(
  packet: Uint8Array,
  question: PlainQuestion,
  segment: Uint8Array,
  at: number,
  out: Uint8Array,
): number {
  const limit = recordsLimit(question)
  // The length counts the octets after it: the TTL, then each record with its own length.
  const end = at + 4 + uint16At(segment, at + 2)
  let position = question.nameEnd + 4
  let records = 0
  for (let record = at + RRSET_HEAD_BYTES; record < end; records++) {
    const recordEnd = record + 2 + uint16At(segment, record)
    // Pointer, type, class and TTL; then the length and RDATA as stored.
    if (position + 10 + (recordEnd - record) > limit) return 0
    out[position] = POINTER_BITS
    out[position + 1] = HEADER_BYTES
    out[position + 2] = segment[at] as number
    out[position + 3] = segment[at + 1] as number
    out[position + 4] = 0
    out[position + 5] = CLASS_IN
    out[position + 6] = segment[at + 4] as number
    out[position + 7] = segment[at + 5] as number
    out[position + 8] = segment[at + 6] as number
    out[position + 9] = segment[at + 7] as number
    position += 10
    while (record < recordEnd) out[position++] = segment[record++] as number
  }
  writeHead(packet, question, out, 0)
  out[6] = records >> 8
  out[7] = records & 0xff
  return writeOpt(question, out, position)
}

/**
 * A negative answer: the SOA in the authority section (RFC 2308 §2.1, §2.2).
 *
 * @param rcode NXDOMAIN, or NOERROR for a name without records of the type
 * @returns the number of octets written, 0 when the answer does not fit
 */
export function writeNothing(
  packet: Uint8Array,
  question: PlainQuestion,
  soa: NegativeSoa,
  rcode: number,
  out: Uint8Array,
): number {
  const start = question.nameEnd + 4
  const { octets } = soa
  if (start + octets.length > recordsLimit(question)) return 0
  for (let at = 0; at < octets.length; at++) out[start + at] = octets[at] as number
  soa.point(out, question.nameEnd)
  writeHead(packet, question, out, rcode)
  out[9] = 1
  return writeOpt(question, out, start + octets.length)
}

// Space for OPT is reserved first.
function recordsLimit({ hasOpt, payloadBytes, optBytes }: PlainQuestion): number {
  if (!hasOpt) return PLAIN_PAYLOAD_BYTES
  if (payloadBytes <= PLAIN_PAYLOAD_BYTES) return PLAIN_PAYLOAD_BYTES - optBytes
  return Math.min(payloadBytes, OUR_PAYLOAD_BYTES) - optBytes
}

/**
 * Header and question. ID, RD and CD are copied from the request (RFC 1035 §4.1.1, RFC 4035 §3.1.6),
 * and so is the question in its exact letter case. RA, Z and AD stay clear. Counts of records are zero.
 */
function writeHead(packet: Uint8Array, question: PlainQuestion, out: Uint8Array, rcode: number) {
  out[0] = packet[0] as number
  out[1] = packet[1] as number
  out[2] = QR_AND_AA | ((packet[2] as number) & RD)
  out[3] = ((packet[3] as number) & CD) | rcode
  out[4] = 0
  out[5] = 1
  out[6] = 0
  out[7] = 0
  out[8] = 0
  out[9] = 0
  out[10] = 0
  out[11] = question.hasOpt ? 1 : 0
  const end = question.nameEnd + 4
  for (let at = HEADER_BYTES; at < end; at++) out[at] = packet[at] as number
}

/**
 * This server's OPT: root owner, its payload size, no upper RCODE bits, version 0, DO copied; no
 * options, or a COOKIE. The caller knows the client and fills in the cookie at the end of the
 * message.
 */
function writeOpt(question: PlainQuestion, out: Uint8Array, at: number): number {
  if (!question.hasOpt) return at
  out[at] = 0
  out[at + 1] = 0
  out[at + 2] = TYPE_OPT
  out[at + 3] = OUR_PAYLOAD_BYTES >> 8
  out[at + 4] = OUR_PAYLOAD_BYTES & 0xff
  out[at + 5] = 0
  out[at + 6] = 0
  out[at + 7] = question.dnssecOk ? DO : 0
  out[at + 8] = 0
  out[at + 9] = 0
  out[at + 10] = 0
  if (question.cookieBytes > 0) {
    out[at + 10] = OPTION_HEAD_BYTES + COOKIE_BYTES
    out[at + 11] = 0
    out[at + 12] = OPTION_COOKIE
    out[at + 13] = 0
    out[at + 14] = COOKIE_BYTES
  }
  return at + question.optBytes
}
