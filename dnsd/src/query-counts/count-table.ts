/*
 * The query counts of one thread, in memory of a fixed size.
 *
 * There are two halves. The thread counts in one of them, while the main thread reads the other one and hands it
 * to `count-writing`; then they swap. A half consists of three tables and the octets of names:
 *
 *   names    each name once: the network that asked for it first, and how often; the number of its queries from
 *            networks that have no entry; and the frequent types and outcomes
 *   counts   a name and a further network, and the number of queries from that network for that name
 *   records  for a name: the types and outcomes of its queries that have no word in names
 *
 * Names and counts are hash tables with at most PROBES probes. Each slot has a tag, a few bits of the hash. The tags
 * are stored together and fit into the processor's cache. So a missing entry is detected without reading a slot, and
 * a name that one network asks for only touches its own slot, which is as long as a cache line. A query for an address
 * that was found changes one word of it: type A is the rest that the other types leave, and the same is true of outcomes.
 *
 * A slot is taken once per half and never moved. A count without a free slot only loses detail: first the network,
 * then the name, and never its type, outcome and family. Counts for a whole zone have reserved slots. So a flood of
 * new sources or names uses only the fixed memory, and a count costs the same as before.
 */
import { TYPE } from '../names/index.ts'
import { OUTCOME } from '../hot-path/index.ts'

export interface CountSizes {
  /** Slots for names with further networks, a power of two. */
  readonly countSlots: number
  /** Slots for names, a power of two. */
  readonly nameSlots: number
  /** Bytes for the octets of names. */
  readonly octets: number
}

/** The memory of one thread: 19 MiB. The operating system only allocates the used part. */
export interface CountTable extends CountSizes {
  /** How queries reach the thread. */
  readonly transport: 'udp' | 'tcp'
  readonly memory: SharedArrayBuffer
}

// Names of 32 octets fill both name slots and octets. More names would cost the main thread and the database too much.
const SIZES: CountSizes = { countSlots: 32_768, nameSlots: 65_536, octets: 2 * 1024 * 1024 }

export const PROBES = 32
// In a fuller table, the search for a missing entry needs many probes. A flood causes such searches.
export const TAKEN_LIMIT = 1 / 2
/** Entries for zones may use the table up to this limit. */
export const ZONES_TAKEN_LIMIT = 5 / 8

/** What an entry of the names table counts. */
export const KIND = { NAME: 0, NXDOMAIN: 1, OTHER: 2 } as const
export type Kind = (typeof KIND)[keyof typeof KIND]

// The head of a thread's memory: what it does now, and how often it counted with each detail.
export const STATE_WORD = 0
/** Bits of the state: the active half, and whether somebody watches names (`live-ring`). */
export const STATE = { HALF: 1, WATCHED: 2 } as const
/** Offset in doubles. */
export const DETAIL_AT = 1
export const DETAILS = ['network', 'name', 'zone', 'none'] as const
export type Detail = (typeof DETAILS)[number]
const HEAD_BYTES = 64

// The head of a half: used slots, octets and records.
export const COUNTS_TAKEN = 0
export const NAMES_TAKEN = 1
export const OCTETS_TAKEN = 2
export const RECORDS_TAKEN = 3
const HALF_HEAD_BYTES = 64

/** The words of a slot for a name and a further network. */
export const COUNT = {
  /** The slot of the name plus 1. */
  NAME: 0,
  FIRST: 1,
  SECOND: 2,
  TIMES: 3,
  WORDS: 4,
} as const

/** The words of a slot for a name. */
export const NAME = {
  /** The hash of the name. */
  HASH: 0,
  /**
   * The table entry that the name had last. While it is the same, the names need not be compared. An entry for a zone has
   * the complement of the zone number.
   */
  REF: 1,
  /** The offset of its octets times four, with the kind in the low bits; 0 means that this slot is free. */
  PLACE: 2,
  /** The number of its record plus 1; 0 means that it has no record yet. */
  RECORD: 3,
  /** The network that asked first, and the number of its queries; 0 means that there is none. */
  FIRST: 4,
  SECOND: 5,
  TIMES: 6,
  /** Queries from networks without an entry, by family. */
  IPV4: 7,
  IPV6: 8,
  /** Add this to a word of a record, from OUTCOME.NODATA to before RARE_TYPES: its word here. */
  FROM_RECORD: 4,
  WORDS: 16,
} as const

/** The words of a record: types and outcomes that have no word in the slot of the name. */
export const RECORD = {
  /** Only used for the sum of a name, like the words that its slot has. */
  IPV4: 0,
  IPV6: 1,
  /** The outcome of each query, except the usual one of the kind (`usualOutcome`). */
  ...OUTCOME,
  /** Types other than A. */
  TYPES: OUTCOME.NODATA + 1,
  WORDS: 20,
} as const

/** The types that are told apart, in the order of their words from RECORD.TYPES on. The first ones are in the slot of the name. */
export const COUNTED_TYPES = [
  'AAAA',
  'HTTPS',
  'TXT',
  'NS',
  'SOA',
  'MX',
  'SRV',
  'CAA',
  'DS',
  'PTR',
  'SVCB',
  'DNSKEY',
  'ANY',
] as const
/** Slots of names have words for types before this one. */
export const RARE_TYPES: number = NAME.WORDS - NAME.FROM_RECORD
const OTHER_TYPES = RECORD.TYPES + COUNTED_TYPES.length

const wordOfType = new Uint8Array(1 + TYPE.CAA).fill(OTHER_TYPES)
for (const [index, type] of COUNTED_TYPES.entries()) wordOfType[TYPE[type]] = RECORD.TYPES + index

/** The word of a type in a record; not for A, which has no word. */
export function typeWord(qtype: number): number {
  return wordOfType[qtype] ?? OTHER_TYPES
}

/** The outcome of a query that is not counted in a word of its own. */
export function usualOutcome(kind: Kind): number {
  return kind === KIND.NXDOMAIN ? OUTCOME.NXDOMAIN : OUTCOME.DATA
}

/** The tag of a slot with this hash; 0 marks a free slot. The slot number comes from the low bits. */
export function placeTag(hash: number): number {
  return hash >>> 24 || 1
}

/** The maximum count of one slot. Further queries are counted without detail. */
export const TIMES_LIMIT = 0x7fff_ffff

/** @param sizes tests use smaller ones */
export function createCountTable(
  transport: CountTable['transport'],
  sizes: CountSizes = SIZES,
): CountTable {
  return { ...sizes, transport, memory: new SharedArrayBuffer(HEAD_BYTES + 2 * halfBytes(sizes)) }
}

/** The views of one half. */
export interface CountHalf {
  readonly head: Int32Array
  readonly counts: Int32Array
  /** The `placeTag` of each slot in `counts`. */
  readonly countTags: Uint8Array
  readonly names: Int32Array
  readonly nameTags: Uint8Array
  readonly records: Int32Array
  /** For each name: the length of the owner, the owner relative to the apex, and the apex with the root. */
  readonly octets: Uint8Array
}

export function countHalf(table: CountTable, half: 0 | 1): CountHalf {
  const { memory, countSlots, nameSlots, octets } = table
  const headAt = HEAD_BYTES + half * halfBytes(table)
  const countsAt = headAt + HALF_HEAD_BYTES
  const namesAt = countsAt + countSlots * COUNT.WORDS * 4
  const recordsAt = namesAt + nameSlots * NAME.WORDS * 4
  const countTagsAt = recordsAt + recordsOf(table) * RECORD.WORDS * 4
  const nameTagsAt = countTagsAt + countSlots
  const octetsAt = nameTagsAt + nameSlots
  return {
    head: new Int32Array(memory, headAt, HALF_HEAD_BYTES / 4),
    counts: new Int32Array(memory, countsAt, countSlots * COUNT.WORDS),
    countTags: new Uint8Array(memory, countTagsAt, countSlots),
    names: new Int32Array(memory, namesAt, nameSlots * NAME.WORDS),
    nameTags: new Uint8Array(memory, nameTagsAt, nameSlots),
    records: new Int32Array(memory, recordsAt, recordsOf(table) * RECORD.WORDS),
    octets: new Uint8Array(memory, octetsAt, octets),
  }
}

// One for each name that can have a slot.
function recordsOf({ nameSlots }: CountSizes): number {
  return Math.ceil(nameSlots * ZONES_TAKEN_LIMIT) + 1
}

// Rounded up, so that each half begins at a cache line.
function halfBytes(sizes: CountSizes): number {
  const { countSlots, nameSlots, octets } = sizes
  const countBytes = countSlots * (COUNT.WORDS * 4 + 1)
  const nameBytes = nameSlots * (NAME.WORDS * 4 + 1) + recordsOf(sizes) * RECORD.WORDS * 4
  const bytes = HALF_HEAD_BYTES + countBytes + nameBytes + octets
  return Math.ceil(bytes / 64) * 64
}
