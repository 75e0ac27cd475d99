/*
 * The query counts of one thread, in memory of a fixed size.
 *
 * There are two halves. The thread counts in one of them, while the main thread reads the other one and writes
 * it to the database; then they swap. A half consists of two tables and the octets of names:
 *
 *   counts   a name and a client's network, and the number of queries from that network for that name
 *   names    each name once, and the number of queries for it that have no entry of their own in counts
 *
 * Both are hash tables with at most PROBES probes. Each slot has a tag, a few bits of the hash. The tags are stored
 * together and fit into the processor's cache. So a missing entry is detected without reading a slot, and a
 * repeated count only touches its own slot. A slot is taken once per half and never moved. A count without a free
 * slot only loses detail: first the network, then the name. Counts for a whole zone have reserved
 * slots. So a flood of new sources or names uses only the fixed memory, and a count costs the same as
 * before.
 */

export interface CountSizes {
  /** Slots for names with networks, a power of two. */
  readonly countSlots: number
  /** Slots for names, a power of two. */
  readonly nameSlots: number
  /** Bytes for the octets of names. */
  readonly octets: number
}

/** The memory of one thread: 5.7 MiB. The operating system only allocates the used part. */
export interface CountTable extends CountSizes {
  readonly memory: SharedArrayBuffer
}

const SIZES: CountSizes = { countSlots: 32_768, nameSlots: 65_536, octets: 768 * 1024 }

export const PROBES = 32

/** What an entry of the names table counts. */
export const KIND = { NAME: 0, NXDOMAIN: 1, OTHER: 2 } as const
export type Kind = (typeof KIND)[keyof typeof KIND]

// The head of a thread's memory: the active half, and how often it counted with each detail.
export const ACTIVE_WORD = 0
/** Offset in doubles. */
export const DETAIL_AT = 1
export const DETAILS = ['network', 'name', 'zone', 'none'] as const
export type Detail = (typeof DETAILS)[number]
const HEAD_BYTES = 64

// The head of a half: used slots and octets.
export const COUNTS_TAKEN = 0
export const NAMES_TAKEN = 1
export const OCTETS_TAKEN = 2
const HALF_HEAD_BYTES = 64

/** The words of a slot for a name with a network. */
export const COUNT = {
  /** The hash of the name. */
  HASH: 0,
  /** The table entry that the name had last. While it is the same, the names need not be compared. */
  REF: 1,
  FIRST: 2,
  SECOND: 3,
  /** The slot of the name plus 1; 0 means that this slot is free. */
  NAME: 4,
  TIMES: 5,
  WORDS: 8,
} as const

/** The words of a slot for a name. */
export const NAME = {
  HASH: 0,
  /** As above; an entry for a zone has the complement of the zone number. */
  REF: 1,
  /** The offset of its octets times four, with the kind in the low bits; 0 means that this slot is free. */
  PLACE: 2,
  TIMES: 3,
  WORDS: 4,
} as const

/** The tag of a slot with this hash; 0 marks a free slot. The slot number comes from the low bits. */
export function placeTag(hash: number): number {
  return hash >>> 24 || 1
}

/** The maximum count of one slot. Further queries are counted without detail. */
export const TIMES_LIMIT = 0x7fff_ffff

/** @param sizes tests use smaller ones */
export function createCountTable(sizes: CountSizes = SIZES): CountTable {
  return { ...sizes, memory: new SharedArrayBuffer(HEAD_BYTES + 2 * halfBytes(sizes)) }
}

/** The views of one half. */
export interface CountHalf {
  readonly head: Int32Array
  readonly counts: Int32Array
  /** The `placeTag` of each slot in `counts`. */
  readonly countTags: Uint8Array
  readonly names: Int32Array
  readonly nameTags: Uint8Array
  /** For each name: the length of the owner, the owner relative to the apex, and the apex with the root. */
  readonly octets: Uint8Array
}

export function countHalf(table: CountTable, half: 0 | 1): CountHalf {
  const { memory, countSlots, nameSlots, octets } = table
  const headAt = HEAD_BYTES + half * halfBytes(table)
  const countsAt = headAt + HALF_HEAD_BYTES
  const namesAt = countsAt + countSlots * COUNT.WORDS * 4
  const countTagsAt = namesAt + nameSlots * NAME.WORDS * 4
  const nameTagsAt = countTagsAt + countSlots
  const octetsAt = nameTagsAt + nameSlots
  return {
    head: new Int32Array(memory, headAt, HALF_HEAD_BYTES / 4),
    counts: new Int32Array(memory, countsAt, countSlots * COUNT.WORDS),
    countTags: new Uint8Array(memory, countTagsAt, countSlots),
    names: new Int32Array(memory, namesAt, nameSlots * NAME.WORDS),
    nameTags: new Uint8Array(memory, nameTagsAt, nameSlots),
    octets: new Uint8Array(memory, octetsAt, octets),
  }
}

// Rounded up, so that each half begins at a cache line.
function halfBytes({ countSlots, nameSlots, octets }: CountSizes): number {
  const countBytes = countSlots * (COUNT.WORDS * 4 + 1)
  const nameBytes = nameSlots * (NAME.WORDS * 4 + 1)
  const bytes = HALF_HEAD_BYTES + countBytes + nameBytes + octets
  return Math.ceil(bytes / 64) * 64
}
