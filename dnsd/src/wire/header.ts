/** The header of a message (RFC 1035 §4.1.1): its length and its flags. */
export const HEADER_BYTES = 12

export const FLAG = {
  /** The message is an answer. */
  QR: 0x8000,
  AA: 0x0400,
  TC: 0x0200,
  RD: 0x0100,
  CD: 0x0010,
} as const

/** The number of bits below the opcode in the flags. */
export const OPCODE_SHIFT = 11

/** The longest message over TCP (§4.2.2). */
export const MAX_MESSAGE_BYTES = 65_535
