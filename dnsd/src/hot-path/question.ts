import { uint16At } from '../names/octets.ts'
import { isDataType } from '../names/index.ts'
import type { FoldedName } from '../table/index.ts'
import { CLIENT_COOKIE_BYTES, COOKIE_BYTES } from '../wire/index.ts'

export const HEADER_BYTES = 12
const CLASS_IN = 1
export const TYPE_OPT = 41
export const OPTION_COOKIE = 10
export const OPTION_HEAD_BYTES = 4
// Root owner, type, class, TTL and RDATA length.
const BARE_OPT_BYTES = 11
const COOKIE_OPT_BYTES = BARE_OPT_BYTES + OPTION_HEAD_BYTES + COOKIE_BYTES
// In the header's third octet: QR and the four bits of the opcode, all clear in a query.
const QR_AND_OPCODE = 0xf8
const DO_BIT = 0x80

/**
 * The question of a plain query, read in place. The object is reused for each packet to avoid
 * allocations.
 *
 * Every index below was compared with the packet's length before. The type assertions save a branch
 * for missing octets.
 */
export class PlainQuestion {
  readonly name: FoldedName
  /** The offset of the end of the name in the packet, after the root. */
  nameEnd = 0
  qtype = 0
  hasOpt = false
  dnssecOk = false
  /** The client's UDP payload size as sent; 0 without OPT. */
  payloadBytes = 0
  /** The offset of the content of its COOKIE option in the packet. */
  cookieAt = 0
  /**
   * The length of the cookie: a client cookie, or also a server cookie of the length that this server
   * makes; 0 without a cookie.
   */
  cookieBytes = 0

  /** @param name receives the name of each question */
  constructor(name: FoldedName) {
    this.name = name
  }

  /**
   * Reads a plain query: QR and opcode zero, one question of class IN for a data type and a name below
   * the root, no other record except an OPT of version 0 without options or with only a COOKIE, and no
   * further octets. The full request parser reads everything else, valid or not.
   *
   * @param packetBytes the length of the packet in `packet`
   * @returns whether it is a plain query; the fields are only valid then
   */
  read(packet: Uint8Array, packetBytes: number): boolean {
    // One question, no answer or authority records, and at most one additional record.
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
      this.#hasPlainType(packet) &&
      this.#readOpt(packet, packetBytes)
    )
  }

  /** The length of the OPT record in an answer that has one. */
  get optBytes(): number {
    return this.cookieBytes === 0 ? BARE_OPT_BYTES : COOKIE_OPT_BYTES
  }

  /**
   * Reads only the name and the type, from a packet with any kind of question.
   *
   * @returns false also for the root, which is not written as a pointer when it is the owner
   */
  readName(packet: Uint8Array, packetBytes: number): boolean {
    const nameBytes = this.name.read(packet, HEADER_BYTES)
    this.nameEnd = HEADER_BYTES + nameBytes
    if (nameBytes <= 1 || this.nameEnd + 4 > packetBytes) return false
    this.qtype = uint16At(packet, this.nameEnd)
    return true
  }

  #hasPlainType(packet: Uint8Array): boolean {
    const at = this.nameEnd
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
    // After the type: payload (2), extended RCODE, version, flags (2), length of the options. The
    // remaining bits of a request's extended RCODE and flags are ignored (RFC 6891 §6.1.3, §6.1.4).
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

  // RFC 7873 §5.2.2 allows server cookies of other lengths, but this server does not make them.
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
