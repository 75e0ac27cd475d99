import { uint16At } from '../names/octets.ts'
import { isDataType } from '../names/index.ts'
import type { FoldedName } from '../table/index.ts'
import { CLIENT_COOKIE_BYTES, COOKIE_BYTES } from '../wire/index.ts'

export const HEADER_BYTES = 12
const CLASS_IN = 1
export const TYPE_OPT = 41
export const OPTION_COOKIE = 10
export const OPTION_HEAD_BYTES = 4
// Root owner, type, class, TTL and the length of RDATA.
const BARE_OPT_BYTES = 11
const COOKIE_OPT_BYTES = BARE_OPT_BYTES + OPTION_HEAD_BYTES + COOKIE_BYTES
// Of the header's third octet: QR and the four bits of the opcode, all clear in a query.
const QR_AND_OPCODE = 0xf8
const DO_BIT = 0x80

/**
 * The one question of a plain query, read in place. The object is filled anew for each packet, so that
 * none is made for it.
 *
 * Every index below is behind a comparison with the packet's length, hence the assertions: they spare
 * a branch for an octet that is not there.
 */
export class PlainQuestion {
  readonly name: FoldedName
  /** Where the name ends in the packet, after the root. */
  nameEnd = 0
  qtype = 0
  hasOpt = false
  dnssecOk = false
  /** What the client takes over UDP, as it wrote it; 0 without OPT. */
  payloadBytes = 0
  /** Where the content of its COOKIE option begins in the packet. */
  cookieAt = 0
  /** A client cookie, or one and a server cookie of the length that is made here; 0 for none. */
  cookieBytes = 0

  /** @param name filled with each question's */
  constructor(name: FoldedName) {
    this.name = name
  }

  /**
   * Reads a packet of the most usual kind: QR and opcode zero, one question of class IN for a data
   * type and a name below the root, no other record but an OPT of version 0 with no option or a COOKIE
   * alone, and no octet more. Everything else, right or wrong, is for those who read requests in full.
   *
   * @param packetBytes how much of `packet` is the packet
   * @returns whether it is one; only then the fields mean something
   */
  read(packet: Uint8Array, packetBytes: number): boolean {
    // One question, and no record before the additional section, where there may be one.
    if (
      packetBytes <= HEADER_BYTES ||
      ((packet[2] as number) & QR_AND_OPCODE) !== 0 ||
      packet[4] !== 0 ||
      packet[5] !== 1 ||
      packet[6] !== 0 ||
      packet[7] !== 0 ||
      packet[8] !== 0 ||
      packet[9] !== 0 ||
      packet[10] !== 0 ||
      (packet[11] as number) > 1
    ) {
      return false
    }
    return (
      this.readName(packet, packetBytes) &&
      this.#readType(packet) &&
      this.#readOpt(packet, packetBytes)
    )
  }

  /** How much of the answer is its OPT record, if it has one. */
  get optBytes(): number {
    return this.cookieBytes === 0 ? BARE_OPT_BYTES : COOKIE_OPT_BYTES
  }

  /**
   * Reads the name alone, of a packet with a question of any kind.
   *
   * @returns false for the root too, which as an owner is not written as a pointer
   */
  readName(packet: Uint8Array, packetBytes: number): boolean {
    const nameBytes = this.name.read(packet, HEADER_BYTES)
    this.nameEnd = HEADER_BYTES + nameBytes
    return nameBytes > 1 && this.nameEnd + 4 <= packetBytes
  }

  #readType(packet: Uint8Array): boolean {
    const at = this.nameEnd
    this.qtype = uint16At(packet, at)
    return packet[at + 2] === 0 && packet[at + 3] === CLASS_IN && isDataType(this.qtype)
  }

  #readOpt(packet: Uint8Array, packetBytes: number): boolean {
    const at = this.nameEnd + 4
    this.hasOpt = packet[11] === 1
    this.dnssecOk = false
    this.payloadBytes = 0
    this.cookieBytes = 0
    if (!this.hasOpt) return at === packetBytes
    const optionsBytes = packetBytes - at - BARE_OPT_BYTES
    // After the type: payload (2), extended RCODE, version, flags (2), length of the options. What
    // else a request's extended RCODE and flags hold is ignored (RFC 6891 §6.1.3, §6.1.4).
    if (
      optionsBytes < 0 ||
      packet[at] !== 0 ||
      packet[at + 1] !== 0 ||
      packet[at + 2] !== TYPE_OPT ||
      packet[at + 6] !== 0 ||
      uint16At(packet, at + 9) !== optionsBytes
    ) {
      return false
    }
    if (optionsBytes > 0 && !this.#readCookie(packet, at + BARE_OPT_BYTES, optionsBytes)) {
      return false
    }
    this.payloadBytes = uint16At(packet, at + 3)
    this.dnssecOk = ((packet[at + 7] as number) & DO_BIT) !== 0
    return true
  }

  // RFC 7873 §5.2.2 allows server cookies of other lengths; those are not of our making.
  #readCookie(packet: Uint8Array, at: number, optionsBytes: number): boolean {
    const bytes = optionsBytes - OPTION_HEAD_BYTES
    if (
      (bytes !== CLIENT_COOKIE_BYTES && bytes !== COOKIE_BYTES) ||
      uint16At(packet, at) !== OPTION_COOKIE ||
      uint16At(packet, at + 2) !== bytes
    ) {
      return false
    }
    this.cookieAt = at + OPTION_HEAD_BYTES
    this.cookieBytes = bytes
    return true
  }
}
