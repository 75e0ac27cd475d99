/* Reads the rows of the inactive half for the database, and clears it. */
import { ipv4ToText, ipv6ToText, nameToText } from '../names/index.ts'
import {
  ACTIVE_WORD,
  COUNT,
  type CountHalf,
  countHalf,
  type CountTable,
  KIND,
  NAME,
  NAMES_TAKEN,
} from './count-table.ts'

/** What was queried, and how often. */
export interface CountedRow {
  readonly zone: string
  readonly kind: 'name' | 'nxdomain' | 'other'
  /** The name or the wildcard that answered; null for queries that are counted for the zone only. */
  readonly name: string | null
  /** The client's network as CIDR; null when it was not recorded. */
  readonly network: string | null
  readonly count: number
}

const KIND_TEXT = {
  [KIND.NAME]: 'name',
  [KIND.NXDOMAIN]: 'nxdomain',
  [KIND.OTHER]: 'other',
} as const

/**
 * The half in which the thread counts. The other half is stable when all counting calls in it have
 * finished.
 */
export function activeHalf(table: CountTable): 0 | 1 {
  return Atomics.load(new Int32Array(table.memory), ACTIVE_WORD) === 0 ? 0 : 1
}

/** Makes the thread count in the other half from its next answer on. */
export function changeHalf(table: CountTable): void {
  Atomics.store(new Int32Array(table.memory), ACTIVE_WORD, 1 - activeHalf(table))
}

/** Whether nothing was counted in a half. */
export function isEmptyHalf(table: CountTable, half: 0 | 1): boolean {
  return countHalf(table, half).head[NAMES_TAKEN] === 0
}

/** The rows of a half, generated lazily. */
export function* countedRows(table: CountTable, half: 0 | 1): Generator<CountedRow> {
  const views = countHalf(table, half)
  const { counts, names } = views
  for (let at = 0; at < names.length; at += NAME.WORDS) {
    const count = names[at + NAME.TIMES] ?? 0
    if (names[at + NAME.PLACE] !== 0 && count > 0)
      yield { ...nameIn(views, at), network: null, count }
  }
  for (let at = 0; at < counts.length; at += COUNT.WORDS) {
    const name = (counts[at + COUNT.NAME] ?? 0) - 1
    if (name < 0) continue
    const network = networkToText(counts[at + COUNT.FIRST] ?? 0, counts[at + COUNT.SECOND] ?? 0)
    const count = counts[at + COUNT.TIMES] ?? 0
    yield { ...nameIn(views, name * NAME.WORDS), network, count }
  }
}

/** Clears a half. */
export function emptyHalf(table: CountTable, half: 0 | 1): void {
  const { head, counts, countTags, names, nameTags } = countHalf(table, half)
  emptyPlaces(names, nameTags, NAME.WORDS)
  emptyPlaces(counts, countTags, COUNT.WORDS)
  head.fill(0)
}

// Only used slots are cleared: writing zeros would make the system allocate memory that was never used.
function emptyPlaces(words: Int32Array, tags: Uint8Array, wordsPerPlace: number): void {
  for (let slot = 0; slot < tags.length; slot++) {
    if (tags[slot] === 0) continue
    words.fill(0, slot * wordsPerPlace, (slot + 1) * wordsPerPlace)
    tags[slot] = 0
  }
}

function nameIn(
  { names, octets }: CountHalf,
  at: number,
): Pick<CountedRow, 'zone' | 'kind' | 'name'> {
  const place = names[at + NAME.PLACE] ?? 0
  const nameAt = (place >> 2) + 1
  const apexAt = nameAt + (octets[nameAt - 1] ?? 0)
  const zone = nameToText(wireNameAt(octets, apexAt, apexAt))
  const kind = KIND_TEXT[(place & 3) as keyof typeof KIND_TEXT]
  const name = kind === 'name' ? nameToText(wireNameAt(octets, nameAt, apexAt)) : null
  return { zone, kind, name }
}

// Only the apex ends with the root label, the owner does not.
function wireNameAt(octets: Uint8Array, start: number, apexAt: number): Uint8Array {
  let end = apexAt
  while (octets[end] !== 0) end += 1 + (octets[end] ?? 0)
  return octets.slice(start, end + 1)
}

function networkToText(first: number, second: number): string {
  const octets = Buffer.alloc(16)
  octets.writeInt32BE(first, 0)
  if (second === 0) return `${ipv4ToText(octets.subarray(0, 4))}/24`
  octets.writeUInt16BE(second >>> 16, 4)
  return `${ipv6ToText(octets)}/48`
}
