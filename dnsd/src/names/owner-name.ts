/*
 * Domain names in memory.
 *
 * A name is its wire form without compression, including the root octet (RFC 1035 §3.1): `3www7example0` and not a string
 * with dots, because a label may contain any octet (RFC 2181 §11), including a dot. These functions expect valid names.
 * External input must pass `nameFromText` or `nameLengthAt` first.
 */
import { NameError } from './name-error.ts'

/** The maximum length of a name on the wire, including length octets and root (RFC 1035 §2.3.4). */
export const NAME_LIMIT_OCTETS = 255
/** The maximum length of a label (RFC 1035 §2.3.4). */
export const LABEL_LIMIT_OCTETS = 63

/** The root of the tree, one zero octet. As an origin, it makes every text absolute. */
export const ROOT_NAME: Uint8Array = Buffer.from([0])

// RFC 4343 §3: only A to Z are folded, so 0x5F is not 0x7F. A length octet is at most 63 and 'A' is 65, so a
// name can be folded octet by octet without finding the beginnings of its labels.
function folded(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet
}

/**
 * The length of the uncompressed name at `offset` in octets, including the root.
 *
 * @throws NameError `malformed-wire` for a compression pointer, a reserved label type or a name that runs past the end;
 * `name-too-long` past 255 octets.
 */
export function nameLengthAt(wire: Uint8Array, offset = 0): number {
  let at = offset
  for (;;) {
    const length = wire[at]
    if (length === undefined) throw new NameError('malformed-wire', 'The name runs past the end.')
    if (length > LABEL_LIMIT_OCTETS) {
      throw new NameError('malformed-wire', `A label cannot begin with the octet ${length}.`)
    }
    at += 1 + length
    if (at - offset > NAME_LIMIT_OCTETS) {
      throw new NameError('name-too-long', `The name is longer than ${NAME_LIMIT_OCTETS} octets.`)
    }
    if (length === 0) return at - offset
  }
}

/** The same name with A to Z in lower case (RFC 4343 §3, RFC 4034 §6.2); always a copy. */
export function canonicalName(wire: Uint8Array): Buffer {
  const canonical = Buffer.from(wire)
  for (let at = 0; at < canonical.length; at++) canonical[at] = folded(canonical[at] ?? 0)
  return canonical
}

/** The key of a name in a Map: its canonical wire form, one character per octet. Equal names, and only those, have equal keys. */
export function nameKey(wire: Uint8Array): string {
  const octets = Buffer.isBuffer(wire)
    ? wire
    : Buffer.from(wire.buffer, wire.byteOffset, wire.length)
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0
    if (octet >= 0x41 && octet <= 0x5a) return canonicalName(octets).toString('latin1')
  }
  return octets.toString('latin1')
}

/** Whether `name` is `ancestor` or lies below it (RFC 9499 §7, "subdomain"; equal counts as true). */
export function isSubdomain(name: Uint8Array, ancestor: Uint8Array): boolean {
  let at = 0
  while (name.length - at > ancestor.length) at += 1 + (name[at] ?? 0)
  if (name.length - at !== ancestor.length) return false
  for (const start = at; at < name.length; at++) {
    if (folded(name[at] ?? 0) !== folded(ancestor[at - start] ?? 0)) return false
  }
  return true
}

/** Whether the leftmost label is `*` (RFC 4592 §2.1.1). */
export function isWildcard(wire: Uint8Array): boolean {
  return wire[0] === 1 && wire[1] === 0x2a
}

// RFC 4034 §6.1: labels compare as left-justified unsigned octets, upper case folded, and a missing octet sorts first.
function compareLabels(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  const aLength = a[aAt] ?? 0
  const bLength = b[bAt] ?? 0
  const shared = Math.min(aLength, bLength)
  for (let at = 1; at <= shared; at++) {
    const difference = folded(a[aAt + at] ?? 0) - folded(b[bAt + at] ?? 0)
    if (difference !== 0) return difference
  }
  return aLength - bLength
}

// A name has at most 127 labels. Sorting a zone compares millions of names, so these arrays of label offsets are reused.
const leftStarts = new Uint8Array(128)
const rightStarts = new Uint8Array(128)

function findLabels(wire: Uint8Array, starts: Uint8Array): number {
  let count = 0
  for (let at = 0; ; count++) {
    const length = wire[at] ?? 0
    if (length === 0) return count
    starts[count] = at
    at += 1 + length
  }
}

/**
 * The canonical order of names (RFC 4034 §6.1): by labels from the right. Negative, zero or positive, as `sort` expects.
 */
export function compareNames(a: Uint8Array, b: Uint8Array): number {
  let left = findLabels(a, leftStarts)
  let right = findLabels(b, rightStarts)
  while (left > 0 && right > 0) {
    left -= 1
    right -= 1
    const order = compareLabels(a, leftStarts[left] ?? 0, b, rightStarts[right] ?? 0)
    if (order !== 0) return order
  }
  return left - right
}
