/* Reads the counts of the inactive half by name, and clears the half. */
import { OUTCOME } from '../hot-path/index.ts'
import { ipv4ToText, ipv6ToText, nameToText, TYPE } from '../names/index.ts'
import {
  COUNT,
  COUNTED_TYPES,
  type CountHalf,
  countHalf,
  type CountTable,
  KIND,
  type Kind,
  NAME,
  NAMES_TAKEN,
  RECORDS_TAKEN,
  RECORD,
  STATE,
  STATE_WORD,
  typeWord,
  usualOutcome,
} from './count-table.ts'

/** What the queries for a name are divided by. Each dimension adds up to all queries of the name. */
export const DIMENSIONS = ['type', 'rcode', 'transport', 'family'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** The queries for one name, or for a zone. */
export interface CountedName {
  readonly zone: string
  /** `nxdomain`: queries for missing names; `other`: queries for names that could not be told apart. */
  readonly kind: 'name' | 'nxdomain' | 'other'
  /**
   * The name or the wildcard that answered; for missing names their closest encloser. Null for missing names below the
   * zone's apex only, and for `other`.
   */
  readonly name: string | null
  /** The client's network as CIDR, or null when it was not recorded, and a number of queries greater than 0. */
  readonly networks: readonly (readonly [network: string | null, queries: number])[]
  /** A number of queries greater than 0 for each value that occurred. */
  readonly facets: readonly (readonly [dimension: Dimension, value: string, queries: number])[]
}

const KIND_TEXT = {
  [KIND.NAME]: 'name',
  [KIND.NXDOMAIN]: 'nxdomain',
  [KIND.OTHER]: 'other',
} as const

const OUTCOME_TEXT = [
  [OUTCOME.DATA, 'NOERROR'],
  [OUTCOME.NODATA, 'NODATA'],
  [OUTCOME.NXDOMAIN, 'NXDOMAIN'],
  [OUTCOME.OTHER, 'other'],
] as const
/** Words of a sum, and the words of a slot in `names` that belong to them. */
const NAME_WORDS = [
  [RECORD.IPV4, NAME.IPV4],
  [RECORD.IPV6, NAME.IPV6],
  [OUTCOME.NODATA, NAME.NODATA],
  [typeWord(TYPE.AAAA), NAME.AAAA],
] as const
const TYPE_TEXT = [...COUNTED_TYPES, 'other'] as const

/**
 * The half in which the thread counts. The other half is stable when all counting calls in it have
 * finished.
 */
export function activeHalf(table: CountTable): 0 | 1 {
  return (Atomics.load(stateOf(table), STATE_WORD) & STATE.HALF) === 0 ? 0 : 1
}

/** Makes the thread count in the other half from its next answer on. */
export function changeHalf(table: CountTable): void {
  Atomics.xor(stateOf(table), STATE_WORD, STATE.HALF)
}

/** Whether nothing was counted in a half. */
export function isEmptyHalf(table: CountTable, half: 0 | 1): boolean {
  return countHalf(table, half).head[NAMES_TAKEN] === 0
}

/** The counts of a half, generated lazily. */
export function* countedNames(table: CountTable, half: 0 | 1): Generator<CountedName> {
  const views = countHalf(table, half)
  const { names, nameTags } = views
  const slots = slotsByName(views)
  for (let slot = 0; slot < nameTags.length; slot++) {
    if (names[slot * NAME.WORDS + NAME.PLACE] === 0) continue
    const counted = countedName(views, slots, slot, table.transport)
    if (counted !== undefined) yield counted
  }
}

/** Clears a half. */
export function emptyHalf(table: CountTable, half: 0 | 1): void {
  const { head, counts, countTags, names, nameTags, records } = countHalf(table, half)
  emptyPlaces(names, nameTags, NAME.WORDS)
  emptyPlaces(counts, countTags, COUNT.WORDS)
  records.fill(0, 0, (head[RECORDS_TAKEN] ?? 0) * RECORD.WORDS)
  head.fill(0)
}

function stateOf({ memory }: CountTable): Int32Array {
  return new Int32Array(memory, 0, 1)
}

// Only used slots are cleared: writing zeros would make the system allocate memory that was never used.
function emptyPlaces(words: Int32Array, tags: Uint8Array, wordsPerPlace: number): void {
  for (let slot = 0; slot < tags.length; slot++) {
    if (tags[slot] === 0) continue
    words.fill(0, slot * wordsPerPlace, (slot + 1) * wordsPerPlace)
    tags[slot] = 0
  }
}

/** The slots in `counts` of each name as lists: the first slot plus 1 of a name, and the next one plus 1 of a slot. */
interface SlotsByName {
  readonly first: Int32Array
  readonly next: Int32Array
}

function slotsByName({ counts, countTags, nameTags }: CountHalf): SlotsByName {
  const first = new Int32Array(nameTags.length)
  const next = new Int32Array(countTags.length)
  for (let slot = 0; slot < countTags.length; slot++) {
    const name = (counts[slot * COUNT.WORDS + COUNT.NAME] ?? 0) - 1
    if (name < 0) continue
    next[slot] = first[name] ?? 0
    first[name] = slot + 1
  }
  return { first, next }
}

function countedName(
  views: CountHalf,
  { first, next }: SlotsByName,
  nameSlot: number,
  transport: CountTable['transport'],
): CountedName | undefined {
  const { counts } = views
  const nameAt = nameSlot * NAME.WORDS
  const record = recordOf(views, nameAt)
  const networks: [string | null, number][] = []
  for (let slot = (first[nameSlot] ?? 0) - 1; slot >= 0; slot = (next[slot] ?? 0) - 1) {
    const at = slot * COUNT.WORDS
    const second = counts[at + COUNT.SECOND] ?? 0
    const times = counts[at + COUNT.TIMES] ?? 0
    networks.push([networkToText(counts[at + COUNT.FIRST] ?? 0, second), times])
    add(record, second === 0 ? RECORD.IPV4 : RECORD.IPV6, times)
    for (let word: number = COUNT.NODATA; word < COUNT.NAME; word++)
      add(record, word, counts[at + word] ?? 0)
  }
  const total = sumOf(record, RECORD.IPV4, RECORD.IPV6 + 1)
  const withNetwork = networks.reduce((sum, [, times]) => sum + times, 0)
  if (total > withNetwork) networks.push([null, total - withNetwork])
  if (total === 0) return undefined
  const place = views.names[nameAt + NAME.PLACE] ?? 0
  const facets = facetsOf(record, (place & 3) as Kind, transport)
  return { ...nameIn(views, place), networks, facets }
}

/** The sums of a name, to which its slots in `counts` are added. */
function recordOf({ names, records }: CountHalf, nameAt: number): Float64Array {
  const number = names[nameAt + NAME.RECORD] ?? 0
  const sums = new Float64Array(RECORD.WORDS)
  if (number > 0) sums.set(records.subarray((number - 1) * RECORD.WORDS, number * RECORD.WORDS))
  for (const [word, from] of NAME_WORDS) add(sums, word, names[nameAt + from] ?? 0)
  return sums
}

function facetsOf(
  record: Float64Array,
  kind: Kind,
  transport: CountTable['transport'],
): [Dimension, string, number][] {
  const total = sumOf(record, RECORD.IPV4, RECORD.IPV6 + 1)
  const usual = usualOutcome(kind)
  add(record, usual, total - sumOf(record, OUTCOME.DATA, OUTCOME.NODATA + 1))
  const facets: [Dimension, string, number][] = [
    ['type', 'A', total - sumOf(record, RECORD.TYPES, RECORD.WORDS)],
    ...TYPE_TEXT.map(
      (text, index) =>
        ['type', text, record[RECORD.TYPES + index] ?? 0] as [Dimension, string, number],
    ),
    ...OUTCOME_TEXT.map(
      ([word, text]) => ['rcode', text, record[word] ?? 0] as [Dimension, string, number],
    ),
    ['transport', transport, total],
    ['family', 'ipv4', record[RECORD.IPV4] ?? 0],
    ['family', 'ipv6', record[RECORD.IPV6] ?? 0],
  ]
  return facets.filter(([, , queries]) => queries > 0)
}

function add(record: Float64Array, word: number, times: number): void {
  record[word] = (record[word] ?? 0) + times
}

function sumOf(record: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let word = from; word < to; word++) sum += record[word] ?? 0
  return sum
}

function nameIn({ octets }: CountHalf, place: number): Pick<CountedName, 'zone' | 'kind' | 'name'> {
  const nameAt = (place >> 2) + 1
  const apexAt = nameAt + (octets[nameAt - 1] ?? 0)
  const zone = nameToText(wireNameAt(octets, apexAt, apexAt))
  const kind = KIND_TEXT[(place & 3) as Kind]
  // Only the apex itself and whole zones have an empty relative name.
  const isZone = kind !== 'name' && nameAt === apexAt
  return { zone, kind, name: isZone ? null : nameToText(wireNameAt(octets, nameAt, apexAt)) }
}

// Only the apex ends with the root label, the owner does not.
function wireNameAt(octets: Uint8Array, start: number, apexAt: number): Uint8Array {
  let end = apexAt
  while (octets[end] !== 0) end += 1 + (octets[end] ?? 0)
  return octets.slice(start, end + 1)
}

/** A network of two words as CIDR, see `COUNT`. */
export function networkToText(first: number, second: number): string {
  const octets = Buffer.alloc(16)
  octets.writeInt32BE(first, 0)
  if (second === 0) return `${ipv4ToText(octets.subarray(0, 4))}/24`
  octets.writeUInt16BE(second >>> 16, 4)
  return `${ipv6ToText(octets)}/48`
}
