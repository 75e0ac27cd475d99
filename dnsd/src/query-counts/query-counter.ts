import type { HotPath } from '../hot-path/index.ts'
import {
  type FoldedName,
  NAME_AT,
  NAME_LENGTH_AT,
  octetOf,
  type TableReader,
  zoneHash,
} from '../table/index.ts'
import {
  ACTIVE_WORD,
  COUNT,
  type CountHalf,
  countHalf,
  COUNTS_TAKEN,
  type CountTable,
  DETAIL_AT,
  type Detail,
  DETAILS,
  KIND,
  type Kind,
  NAME,
  NAMES_TAKEN,
  OCTETS_TAKEN,
  placeTag,
  PROBES,
  TIMES_LIMIT,
} from './count-table.ts'

/** A client's address as numbers; IPv4 is in the first word. */
export interface CountedAddress {
  readonly family: 4 | 6
  readonly words: Int32Array
}

const ASTERISK_LABEL = Uint8Array.of(1, 0x2a)
// /24 and /48: the longest prefixes that are commonly routed, and enough to find the country.
const IPV4_NETWORK = 0xffff_ff00 | 0
const IPV6_SECOND_WORD = 0xffff_0000 | 0
// In the second word of a network, which is 0 for IPv4.
const IPV6_MARK = 1
const NO_PLACE = -1
// In a fuller table, the search for a missing entry needs many probes. A flood causes such searches.
const TAKEN_LIMIT = 1 / 2
// Entries for zones may use the table up to this limit.
const ZONES_TAKEN_LIMIT = 5 / 8

const DETAIL = { network: 1, name: 2, zone: 3, none: 4 } as const satisfies Record<Detail, number>

/**
 * Counts the answers of one thread. Only this thread writes to the active half, so there are no locks, and nothing
 * is allocated. It must be called between `enter` and `leave` of its reader. From these, the reading side
 * (`QueryCounts`) knows that every call that entered after the swap counts in the new half.
 *
 * The indices below are always within arrays of a fixed size. The type assertions save a branch.
 */
export class QueryCounter {
  readonly #control: Int32Array
  readonly #details: Float64Array
  readonly #halves: readonly [CountHalf, CountHalf]
  readonly #reader: TableReader
  readonly #hot: HotPath
  readonly #seed: number
  readonly #countMask: number
  readonly #nameMask: number
  #half: CountHalf
  #active = 0

  /** @param seed a secret seed for the hash of networks */
  constructor(table: CountTable, reader: TableReader, hot: HotPath, seed: number) {
    this.#control = new Int32Array(table.memory, 0, 1)
    this.#details = new Float64Array(table.memory, 0, DETAIL_AT + DETAILS.length)
    this.#halves = [countHalf(table, 0), countHalf(table, 1)]
    this.#half = this.#halves[0]
    this.#reader = reader
    this.#hot = hot
    this.#seed = seed
    this.#countMask = table.countSlots - 1
    this.#nameMask = table.nameSlots - 1
  }

  /** Counts the last result of the hot path (`HotPath.zone`, `owner`) for the network of a client. */
  count(client: CountedAddress): void {
    const active = Atomics.load(this.#control, ACTIVE_WORD)
    if (active !== this.#active) {
      this.#active = active
      this.#half = active === 0 ? this.#halves[0] : this.#halves[1]
    }
    if (this.#hot.owner === 0) {
      this.#countZone(KIND.NXDOMAIN)
      return
    }
    if (this.#countNetwork(firstOf(client), secondOf(client))) this.#tell(DETAIL.network)
    else this.#countName()
  }

  /** @returns false when there is no slot for this name with this network */
  #countNetwork(first: number, second: number): boolean {
    const { owner } = this.#hot
    const { counts, countTags } = this.#half
    const hash = this.#hash(KIND.NAME)
    const start = hash ^ networkHash(this.#seed, first, second)
    const tag = placeTag(start)
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (start + probe) & this.#countMask
      const found = countTags[slot]
      if (found === 0) return this.#takeCount(slot, tag, hash, first, second)
      if (found !== tag) continue
      const at = slot * COUNT.WORDS
      if (
        counts[at + COUNT.HASH] !== hash ||
        counts[at + COUNT.FIRST] !== first ||
        counts[at + COUNT.SECOND] !== second
      ) {
        continue
      }
      if (counts[at + COUNT.REF] !== owner) {
        // Either an update gave the name a new entry, or two names have the same hash by chance.
        if (!this.#isNamed(((counts[at + COUNT.NAME] as number) - 1) * NAME.WORDS)) continue
        counts[at + COUNT.REF] = owner
      }
      const times = counts[at + COUNT.TIMES] as number
      if (times === TIMES_LIMIT) return false
      counts[at + COUNT.TIMES] = times + 1
      return true
    }
    return false
  }

  #takeCount(slot: number, tag: number, hash: number, first: number, second: number): boolean {
    const { head, counts, countTags } = this.#half
    const taken = head[COUNTS_TAKEN] as number
    if (taken > TAKEN_LIMIT * this.#countMask) return false
    const name = this.#namePlace(KIND.NAME)
    if (name === NO_PLACE) return false
    head[COUNTS_TAKEN] = taken + 1
    const at = slot * COUNT.WORDS
    counts[at + COUNT.HASH] = hash
    counts[at + COUNT.REF] = this.#hot.owner
    counts[at + COUNT.FIRST] = first
    counts[at + COUNT.SECOND] = second
    counts[at + COUNT.TIMES] = 1
    counts[at + COUNT.NAME] = name / NAME.WORDS + 1
    // The tag is written last: if this thread dies before, the slot is still free.
    countTags[slot] = tag
    return true
  }

  #countName(): void {
    const at = this.#namePlace(KIND.NAME)
    if (at === NO_PLACE) this.#countZone(KIND.OTHER)
    else this.#addAt(at, DETAIL.name)
  }

  #countZone(kind: Kind): void {
    const at = this.#namePlace(kind)
    if (at === NO_PLACE) this.#tell(DETAIL.none)
    else this.#addAt(at, DETAIL.zone)
  }

  #addAt(at: number, detail: number): void {
    const { names } = this.#half
    const times = names[at + NAME.TIMES] as number
    if (times < TIMES_LIMIT) names[at + NAME.TIMES] = times + 1
    this.#tell(times < TIMES_LIMIT ? detail : DETAIL.none)
  }

  #tell(detail: number): void {
    this.#details[detail] = (this.#details[detail] as number) + 1
  }

  /** The position of the found name, or of its zone, in `names`. Takes a free slot when there is no entry yet. */
  #namePlace(kind: Kind): number {
    const { zone, owner } = this.#hot
    const { names, nameTags } = this.#half
    const hash = this.#hash(kind)
    const tag = placeTag(hash)
    const ref = kind === KIND.NAME ? owner : ~zone
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (hash + probe) & this.#nameMask
      const found = nameTags[slot]
      if (found === 0) return this.#takeName(slot, hash, kind, ref)
      if (found !== tag) continue
      const at = slot * NAME.WORDS
      const place = names[at + NAME.PLACE] as number
      if (names[at + NAME.HASH] !== hash || (place & 3) !== kind) continue
      if (names[at + NAME.REF] === ref) return at
      if (kind === KIND.NAME && this.#isNamed(at)) {
        names[at + NAME.REF] = ref
        return at
      }
    }
    return NO_PLACE
  }

  #takeName(slot: number, hash: number, kind: Kind, ref: number): number {
    const { head, names, nameTags, octets } = this.#half
    const limit = kind === KIND.NAME ? TAKEN_LIMIT : ZONES_TAKEN_LIMIT
    const taken = head[NAMES_TAKEN] as number
    if (taken > limit * this.#nameMask) return NO_PLACE
    // Offset 0 marks a free slot, so the first octet is not used.
    const nameAt = 1 + (head[OCTETS_TAKEN] as number)
    const nameEnd = this.#copyName(kind, nameAt, limit * octets.length)
    if (nameEnd === 0) return NO_PLACE
    head[OCTETS_TAKEN] = nameEnd - 1
    head[NAMES_TAKEN] = taken + 1
    const at = slot * NAME.WORDS
    names[at + NAME.HASH] = hash
    names[at + NAME.REF] = ref
    names[at + NAME.TIMES] = 0
    names[at + NAME.PLACE] = (nameAt << 2) | kind
    nameTags[slot] = placeTag(hash)
    return at
  }

  /** @returns the end of the name, 0 when there is not enough room */
  #copyName(kind: Kind, nameAt: number, limit: number): number {
    const { hot, reader, octets } = {
      hot: this.#hot,
      reader: this.#reader,
      octets: this.#half.octets,
    }
    const { name } = hot.question
    const apexAt = name.starts[hot.apexLabel] as number
    const ownerAt = kind === KIND.NAME ? octetOf(hot.owner) : 0
    const entries = reader.octetsOf(hot.owner)
    const length = kind === KIND.NAME ? (entries[ownerAt + NAME_LENGTH_AT] as number) : 0
    if (nameAt + 1 + length + (name.length - apexAt) > limit) return 0
    let at = nameAt
    octets[at++] = length
    for (let index = 0; index < length; index++) {
      octets[at++] = entries[ownerAt + NAME_AT + index] as number
    }
    for (let index = apexAt; index < name.length; index++) {
      octets[at++] = name.octets[index] as number
    }
    return at
  }

  /** Whether an entry of `names` is the found name in its zone. */
  #isNamed(at: number): boolean {
    const { names, octets } = this.#half
    const { owner, question } = this.#hot
    const { name } = question
    const nameAt = (names[at + NAME.PLACE] as number) >> 2
    const entries = this.#reader.octetsOf(owner)
    const ownerAt = octetOf(owner)
    const length = entries[ownerAt + NAME_LENGTH_AT] as number
    if (octets[nameAt] !== length) return false
    for (let index = 0; index < length; index++) {
      if (octets[nameAt + 1 + index] !== entries[ownerAt + NAME_AT + index]) return false
    }
    const apexAt = name.starts[this.#hot.apexLabel] as number
    for (let index = apexAt; index < name.length; index++) {
      if (octets[nameAt + 1 + length + index - apexAt] !== name.octets[index]) return false
    }
    return true
  }

  /** The hash of the name, from the label hashes that the hot path has already calculated. */
  #hash(kind: Kind): number {
    const { question, inventedOctets, zone } = this.#hot
    const { name } = question
    if (kind !== KIND.NAME) {
      return zoneHash((name.hashes[this.#hot.apexLabel] as number) ^ kind, zone)
    }
    if (inventedOctets === 0) return zoneHash(name.hashes[0] as number, zone)
    return zoneHash(name.hashWithLabel(suffixAt(name, inventedOctets), ASTERISK_LABEL), zone)
  }
}

/** How many queries a thread counted, by recorded detail. */
export function countedBy(table: CountTable): Readonly<Record<Detail, number>> {
  const details = new Float64Array(table.memory, 0, DETAIL_AT + DETAILS.length)
  const of = (detail: Detail) => details[DETAIL[detail]] ?? 0
  return { network: of('network'), name: of('name'), zone: of('zone'), none: of('none') }
}

function suffixAt(name: FoldedName, start: number): number {
  let label = 0
  while ((name.starts[label] as number) < start) label += 1
  return label
}

// The network of an address as two words.
function firstOf({ family, words }: CountedAddress): number {
  return family === 4 ? (words[0] as number) & IPV4_NETWORK : (words[0] as number)
}

function secondOf({ family, words }: CountedAddress): number {
  return family === 4 ? 0 : ((words[1] as number) & IPV6_SECOND_WORD) | IPV6_MARK
}

// Without the seed, an attacker cannot forge sources whose hashes collide. A collision costs at most PROBES probes.
function networkHash(seed: number, first: number, second: number): number {
  let hash = Math.imul(seed ^ first, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
