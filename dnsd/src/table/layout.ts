/*
 * The layout of an entry. An entry is one existing name with all of its RRsets.
 *
 *    0  u32  next      the zone's next owner, in the order of insertion                 main thread only
 *    4  u32  prev                                                                       main thread only
 *    8  u32  size in units of 8 octets (low 20 bits), flags (high 12 bits)
 *   12  u32  zone      number of the zone; 0 is the directory of zones
 *   16  u32  children  existing names one label below                                   main thread only
 *   20  u8   length of the owner name, relative to the zone's apex and without the root
 *   21  …    that name, A to Z in lower case (RFC 4343 §4.1 leaves the case kept to the server)
 *    …       RRsets: u16 type, u16 length of the rest, u32 TTL, then u16 length and RDATA of each record
 *
 * The first five are in the byte order of the machine, which is little-endian, so that an Int32Array reads
 * them. The rest is in network byte order. Type 0, or less space than the head of an RRset, ends the RRsets.
 * The padding of the last unit is zero.
 *
 * A ref identifies an entry: its position in units of 8 octets over all segments. When an entry is
 * published, its octets never change, except the three marked fields and its flags, which are one word.
 */

export const UNIT_BYTES = 8
// Entries are in segments, which are added as needed. No entry spans two segments.
const UNIT_BITS = 21
/** The size of the largest segments (16 MiB) in units. The first segments are smaller. */
export const SEGMENT_UNITS = 1 << UNIT_BITS

// The offsets of the five words, in words from the beginning of an entry.
export const NEXT = 0
export const PREV = 1
export const SIZE = 2
export const ZONE = 3
export const CHILDREN = 4
/** The offset of the length octet of the owner name; the name follows. */
export const NAME_LENGTH_AT = 20
export const NAME_AT = 21

export const SIZE_MASK = 0xf_ffff
/** The name has published data; otherwise it exists only because of names below it. */
export const PUBLISHED = 1 << 20
/** NS records below the apex: a zone cut (RFC 1034 §4.2). */
export const DELEGATES = 1 << 21
/** A DNAME: names below this name are redirected (RFC 6672 §2.3). */
export const REDIRECTS = 1 << 22
/** A CNAME. */
export const ALIAS = 1 << 23
/** The name has a child `*`. */
export const HAS_WILDCARD = 1 << 24
export const APEX = 1 << 25
/** At an apex: the zone has a cut or a redirection somewhere below it. */
export const CUTS_BELOW = 1 << 26
/** At an apex: changes of the zone were lost on disk, so names that the zone should have may be missing. */
export const INCOMPLETE = 1 << 27

/** The length of an RRset before its first record. */
export const RRSET_HEAD_BYTES = 8
/** The maximum length of an RRset's records, including their length octets, given its 16-bit length. */
export const RECORDS_LIMIT_BYTES = 0xffff - 4
/** The largest entry. */
export const ENTRY_LIMIT_BYTES = 1024 * 1024

/** In the directory, the type of the RRset that holds a zone's number. */
export const ZONE_NUMBER_TYPE = 0xfff0

/** The segment of an entry. */
export function segmentOf(ref: number): number {
  return ref >>> UNIT_BITS
}

/** The offset of an entry in its segment, in octets. */
export function octetOf(ref: number): number {
  return (ref & (SEGMENT_UNITS - 1)) << 3
}

/** The offset of an entry in its segment, in words of 4 octets. */
export function wordOf(ref: number): number {
  return (ref & (SEGMENT_UNITS - 1)) << 1
}

/** The ref of an entry that begins `units` units into a segment. */
export function refAt(segment: number, units: number): number {
  return (segment << UNIT_BITS) | units
}

/** The size of an entry in units. */
export function unitsFor(bytes: number): number {
  return (bytes + UNIT_BYTES - 1) >>> 3
}
