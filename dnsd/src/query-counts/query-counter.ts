import { type HotPath, OUTCOME, type Outcome } from '../hot-path/index.ts'
import { TYPE } from '../names/index.ts'
import { type FoldedName, type TableReader, zoneHash } from '../table/index.ts'
import {
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
  placeTag,
  PROBES,
  RARE_TYPES,
  STATE,
  STATE_WORD,
  TAKEN_LIMIT,
  TIMES_LIMIT,
  typeWord,
  usualOutcome,
} from './count-table.ts'
import type { LiveRing } from './live-ring.ts'
import { NamePlaces, NO_PLACE, type Subject } from './name-places.ts'

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

const DETAIL = { network: 1, name: 2, zone: 3, none: 4 } as const satisfies Record<Detail, number>

/** What one thread counts with. */
export interface QueryCounterParts {
  readonly table: CountTable
  readonly reader: TableReader
  readonly hot: HotPath
  /** A secret seed for the hash of networks. */
  readonly seed: number
  /** Receives queries while somebody watches names. */
  readonly live?: LiveRing | undefined
}

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
  readonly #hot: HotPath
  readonly #seed: number
  readonly #countMask: number
  readonly #names: NamePlaces
  readonly #live: LiveRing | undefined
  readonly #subject: Subject = { kind: KIND.NAME, ref: 0, hash: 0 }
  #half: CountHalf
  #state = 0
  /** The last zone that was counted for as a whole, and its place in `names`. */
  #zone = 0
  #zoneKind: Kind = KIND.OTHER
  #zoneAt = NO_PLACE

  constructor({ table, reader, hot, seed, live }: QueryCounterParts) {
    this.#control = new Int32Array(table.memory, 0, 1)
    this.#details = new Float64Array(table.memory, 0, DETAIL_AT + DETAILS.length)
    this.#halves = [countHalf(table, 0), countHalf(table, 1)]
    this.#half = this.#halves[0]
    this.#hot = hot
    this.#seed = seed
    this.#countMask = table.countSlots - 1
    this.#names = new NamePlaces(this.#half, reader, hot, table.nameSlots)
    this.#live = live
  }

  /**
   * Counts the last result of the hot path (`HotPath.zone`, `owner`) for the network of a client.
   *
   * A missing name counts for its closest encloser, and for the zone if that is the apex: anyone can query missing
   * names of a zone without end.
   */
  count(client: CountedAddress, qtype: number, outcome: Outcome): void {
    const state = Atomics.load(this.#control, STATE_WORD)
    if (state !== this.#state) this.#follow(state)
    const hot = this.#hot
    const first = firstOf(client)
    const second = secondOf(client)
    if ((state & STATE.WATCHED) !== 0) this.#live?.add(hot, first, second, qtype, outcome)
    const subject = this.#subject
    if (hot.owner !== 0) {
      subject.kind = KIND.NAME
      subject.ref = hot.owner
      subject.hash = this.#ownerHash()
    } else if (hot.encloserLabel !== hot.apexLabel) {
      subject.kind = KIND.NXDOMAIN
      subject.ref = hot.encloserRef
      subject.hash = this.#suffixHash(hot.encloserLabel)
    } else {
      subject.kind = KIND.NXDOMAIN
      this.#countZone(second, qtype, outcome)
      return
    }
    const at = this.#countPlace(first, second)
    if (at === NO_PLACE) {
      this.#countName(second, qtype, outcome)
      return
    }
    if (qtype !== TYPE.A) this.#addType(at, qtype)
    if (outcome !== usualOutcome(subject.kind)) this.#addOutcome(at, outcome)
    this.#tell(DETAIL.network)
  }

  #follow(state: number): void {
    this.#state = state
    this.#half = (state & STATE.HALF) === 0 ? this.#halves[0] : this.#halves[1]
    this.#names.half = this.#half
    this.#zone = 0
  }

  /** @returns the slot in which the query was counted, or NO_PLACE */
  #countPlace(first: number, second: number): number {
    const { hash, ref } = this.#subject
    const { counts, countTags } = this.#half
    const start = hash ^ networkHash(this.#seed, first, second)
    const tag = placeTag(start)
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (start + probe) & this.#countMask
      const found = countTags[slot]
      if (found === 0) return this.#takeCount(slot, tag, first, second)
      if (found !== tag) continue
      const at = slot * COUNT.WORDS
      if (
        counts[at + COUNT.HASH] !== hash ||
        counts[at + COUNT.FIRST] !== first ||
        counts[at + COUNT.SECOND] !== second
      ) {
        continue
      }
      if (counts[at + COUNT.REF] !== ref) {
        // Either an update gave the name a new entry, or two names have the same hash by chance.
        if (!this.#names.isNamed(this.#nameOf(at), ref)) continue
        counts[at + COUNT.REF] = ref
      }
      const times = counts[at + COUNT.TIMES] as number
      if (times === TIMES_LIMIT) return NO_PLACE
      counts[at + COUNT.TIMES] = times + 1
      return at
    }
    return NO_PLACE
  }

  #takeCount(slot: number, tag: number, first: number, second: number): number {
    const { head, counts, countTags } = this.#half
    const { hash, ref } = this.#subject
    const taken = head[COUNTS_TAKEN] as number
    if (taken > TAKEN_LIMIT * this.#countMask) return NO_PLACE
    const name = this.#names.place(this.#subject)
    if (name === NO_PLACE) return NO_PLACE
    head[COUNTS_TAKEN] = taken + 1
    const at = slot * COUNT.WORDS
    counts[at + COUNT.HASH] = hash
    counts[at + COUNT.REF] = ref
    counts[at + COUNT.FIRST] = first
    counts[at + COUNT.SECOND] = second
    counts[at + COUNT.TIMES] = 1
    counts[at + COUNT.NAME] = name / NAME.WORDS + 1
    // The tag is written last: if this thread dies before, the slot is still free.
    countTags[slot] = tag
    return at
  }

  #addType(at: number, qtype: number): void {
    const word = typeWord(qtype)
    if (word < RARE_TYPES) this.#addToCount(at + word)
    else this.#addToRecord(this.#nameOf(at), word)
  }

  #addOutcome(at: number, outcome: number): void {
    if (outcome === OUTCOME.NODATA) this.#addToCount(at + COUNT.NODATA)
    else this.#addToRecord(this.#nameOf(at), outcome)
  }

  // It never exceeds the slot's own number, which has a limit.
  #addToCount(word: number): void {
    const { counts } = this.#half
    counts[word] = (counts[word] as number) + 1
  }

  #countName(second: number, qtype: number, outcome: number): void {
    const at = this.#names.place(this.#subject)
    if (at === NO_PLACE) {
      this.#subject.kind = KIND.OTHER
      this.#countZone(second, qtype, outcome)
    } else this.#addAt(at, DETAIL.name, second, qtype, outcome)
  }

  #countZone(second: number, qtype: number, outcome: number): void {
    const subject = this.#subject
    // Most of these queries are a flood of one zone.
    if (this.#zone !== this.#hot.zone || this.#zoneKind !== subject.kind) {
      subject.ref = ~this.#hot.zone
      subject.hash = this.#suffixHash(this.#hot.apexLabel)
      this.#zoneAt = this.#names.place(subject)
      this.#zone = this.#hot.zone
      this.#zoneKind = subject.kind
    }
    if (this.#zoneAt === NO_PLACE) this.#tell(DETAIL.none)
    else this.#addAt(this.#zoneAt, DETAIL.zone, second, qtype, outcome)
  }

  /** Counts a query in the slot of a name. */
  #addAt(at: number, detail: number, second: number, qtype: number, outcome: number): void {
    const { names } = this.#half
    const word = at + (second === 0 ? NAME.IPV4 : NAME.IPV6)
    const times = names[word] as number
    if (times === TIMES_LIMIT) {
      this.#tell(DETAIL.none)
      return
    }
    names[word] = times + 1
    if (qtype === TYPE.AAAA) this.#addToName(at + NAME.AAAA)
    else if (qtype !== TYPE.A) this.#addToRecord(at, typeWord(qtype))
    if (outcome === OUTCOME.NODATA) this.#addToName(at + NAME.NODATA)
    else if (outcome !== usualOutcome(this.#subject.kind)) this.#addToRecord(at, outcome)
    this.#tell(detail)
  }

  #addToName(word: number): void {
    const { names } = this.#half
    const times = names[word] as number
    if (times < TIMES_LIMIT) names[word] = times + 1
  }

  #addToRecord(nameAt: number, word: number): void {
    const { records } = this.#half
    const at = this.#names.record(nameAt) + word
    const times = records[at] as number
    if (times < TIMES_LIMIT) records[at] = times + 1
  }

  /** The position in `names` of the name of a slot in `counts`. */
  #nameOf(at: number): number {
    return ((this.#half.counts[at + COUNT.NAME] as number) - 1) * NAME.WORDS
  }

  #tell(detail: number): void {
    this.#details[detail] = (this.#details[detail] as number) + 1
  }

  // The hashes are made from those of the labels, which the hot path has already calculated.
  #ownerHash(): number {
    const { question, inventedOctets, zone } = this.#hot
    const { name } = question
    if (inventedOctets === 0) return zoneHash(name.hashes[0] as number, zone)
    return zoneHash(name.hashWithLabel(suffixAt(name, inventedOctets), ASTERISK_LABEL), zone)
  }

  #suffixHash(label: number): number {
    const { question, zone } = this.#hot
    return zoneHash((question.name.hashes[label] as number) ^ this.#subject.kind, zone)
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
