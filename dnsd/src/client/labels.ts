/*
 * dns-packet joins labels by dots and takes them for UTF-8: `a.b` as one label reads like the two labels `a` and `b`, and
 * two different labels of octets above 127 read alike. A comparison of such names could be fooled, so a message with
 * such labels is refused before it is decoded.
 */
import { TYPE } from '../names/index.ts'

const HEADER_BYTES = 12
const POINTER_BITS = 0xc0
const MAX_LABELS = 128
const DOT = 0x2e
const LAST_ASCII = 0x7f

// Where names stand in RDATA: of these types dns-packet gives them as text. A mailbox may have a dot in its first
// label, so the second name of an SOA is not among them.
const NAME_AT = new Map<number, number>([
  [TYPE.NS, 0],
  [TYPE.CNAME, 0],
  [TYPE.SOA, 0],
  [TYPE.PTR, 0],
  [TYPE.MX, 2],
  [TYPE.SRV, 6],
  [TYPE.DNAME, 0],
])

/**
 * Looks at the owner names of a message and at the names in RDATA that are read as text.
 *
 * @throws Error when one has a label with a dot or with an octet outside ASCII, or the message ends early
 */
export function checkLabels(message: Buffer): void {
  let at = HEADER_BYTES
  for (let left = message.readUInt16BE(4); left > 0; left--) at = checkName(message, at) + 4
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  for (let left = records; left > 0; left--) {
    const fixedAt = checkName(message, at)
    const rdataAt = fixedAt + 10
    const nameAt = NAME_AT.get(message.readUInt16BE(fixedAt))
    if (nameAt !== undefined) checkName(message, rdataAt + nameAt)
    at = rdataAt + message.readUInt16BE(fixedAt + 8)
  }
}

/** @returns where the name ends in its place, behind its root or its pointer */
function checkName(message: Buffer, start: number): number {
  let at = start
  let end: number | undefined
  for (let labels = 0; labels < MAX_LABELS; labels++) {
    const length = message.readUInt8(at)
    if (length === 0) return end ?? at + 1
    if (length >= POINTER_BITS) {
      end ??= at + 2
      at = message.readUInt16BE(at) & 0x3fff
      continue
    }
    const label = message.subarray(at + 1, at + 1 + length)
    if (label.some((octet) => octet === DOT || octet > LAST_ASCII)) {
      throw new Error('a label has a dot or a character outside ASCII')
    }
    at += 1 + length
  }
  throw new Error('a name has no end')
}
