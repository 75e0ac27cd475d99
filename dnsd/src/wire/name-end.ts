/* Finds the ends of names in received octets. It never throws. */

const MAX_NAME_BYTES = 255
const MAX_LABEL_BYTES = 63
const POINTER_BITS = 0xc0

/** The end of a name in a message, and whether the name ended in a compression pointer. */
export interface NameEnd {
  readonly end: number
  readonly compressed: boolean
}

/**
 * Finds the end of the name at `start` without following a pointer (RFC 1035 §4.1.4).
 *
 * @returns undefined for a name that runs past the end of the octets or has more than 255 octets, and for
 * the label types 01 and 10, which are not in use (RFC 6891 §5).
 */
export function findNameEnd(octets: Uint8Array, start: number): NameEnd | undefined {
  let at = start
  while (at < octets.length && at - start < MAX_NAME_BYTES) {
    const length = octets[at] ?? 0
    if (length === 0) return { end: at + 1, compressed: false }
    if (length >= POINTER_BITS) {
      return at + 2 <= octets.length ? { end: at + 2, compressed: true } : undefined
    }
    if (length > MAX_LABEL_BYTES) return undefined
    at += 1 + length
  }
  return undefined
}
