/*
 * What one thread counts of the names that it answers for, in memory of a fixed size.
 *
 * There are two halves. The thread counts in one of them, the main thread reads the other and writes it to
 * the database; then they change places. A half is two tables and the octets of names:
 *
 *   counts   a name and a client's network, and how often the one was asked by the other
 *   names    each name once, and how often it was asked by networks that are not told apart
 *
 * Both are found by hash, with a look at PROBES places at most. Each place has a tag, a few bits of the hash, and the
 * tags lie together: they are small enough to stay in the processor's cache, so who has no place is known without
 * touching one, and counting again in a place touches that one alone. A place is taken once per half and never moved. What has none any more
 * loses detail and nothing else: first the network, then the name; what is counted for a zone as a whole has
 * room kept for it. So a flood of ever new sources or names takes the memory that is there, and a count costs
 * the same as before.
 */

export interface CountSizes {
  /** Places for names with networks, a power of two. */
  readonly countSlots: number
  /** Places for names, a power of two. */
  readonly nameSlots: number
  /** Room for the octets of names. */
  readonly octets: number
}

/** One thread's memory, as it is handed to the thread: 5.7 MiB, of which the system gives what is used. */
export interface CountTable extends CountSizes {
  readonly memory: SharedArrayBuffer
}

const SIZES: CountSizes = { countSlots: 32_768, nameSlots: 65_536, octets: 768 * 1024 }

export const PROBES = 32

/** What a place among the names stands for. */
export const KIND = { NAME: 0, NXDOMAIN: 1, OTHER: 2 } as const
export type Kind = (typeof KIND)[keyof typeof KIND]

// Of a thread's memory: the half that it is to count in, and how often it counted with how much detail.
export const ACTIVE_WORD = 0
/** In doubles from the beginning. */
export const DETAIL_AT = 1
export const DETAILS = ['network', 'name', 'zone', 'none'] as const
export type Detail = (typeof DETAILS)[number]
const HEAD_BYTES = 64

// Of a half: places and octets taken.
export const COUNTS_TAKEN = 0
export const NAMES_TAKEN = 1
export const OCTETS_TAKEN = 2
const HALF_HEAD_BYTES = 64

/** The words of a place for a name with a network. */
export const COUNT = {
  /** Of the name. */
  HASH: 0,
  /** The entry that was found for the name last: while that is the one, nothing has to be compared. */
  REF: 1,
  FIRST: 2,
  SECOND: 3,
  /** The place of the name and 1; 0 says that this place is free. */
  NAME: 4,
  TIMES: 5,
  WORDS: 8,
} as const

/** The words of a place for a name. */
export const NAME = {
  HASH: 0,
  /** As above; what stands for a zone has its number, complemented. */
  REF: 1,
  /** Where its octets are, times four, with the kind in the low bits; 0 says that this place is free. */
  PLACE: 2,
  TIMES: 3,
  WORDS: 4,
} as const

/** The tag of a place that is found by this hash; 0 is that of a free one. Places go by the low bits. */
export function placeTag(hash: number): number {
  return hash >>> 24 || 1
}

/** Most counts of one place; one more is counted as one without detail. */
export const TIMES_LIMIT = 0x7fff_ffff

/** @param sizes smaller ones are for tests */
export function createCountTable(sizes: CountSizes = SIZES): CountTable {
  return { ...sizes, memory: new SharedArrayBuffer(HEAD_BYTES + 2 * halfBytes(sizes)) }
}

/** One half as views of its parts. */
export interface CountHalf {
  readonly head: Int32Array
  readonly counts: Int32Array
  /** Of each place in `counts`: `placeTag`. */
  readonly countTags: Uint8Array
  readonly names: Int32Array
  readonly nameTags: Uint8Array
  /** Of each name: length of the owner, that name relative to the origin, and the origin with the root. */
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

// Rounded up, so that each half begins at a line of the cache.
function halfBytes({ countSlots, nameSlots, octets }: CountSizes): number {
  const countBytes = countSlots * (COUNT.WORDS * 4 + 1)
  const nameBytes = nameSlots * (NAME.WORDS * 4 + 1)
  const bytes = HALF_HEAD_BYTES + countBytes + nameBytes + octets
  return Math.ceil(bytes / 64) * 64
}
