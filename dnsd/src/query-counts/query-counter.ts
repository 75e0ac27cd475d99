import { type Foreseen, type HotPath, OUTCOME, type Outcome } from '../hot-path/index.ts'
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
import { type CountedAddress, firstWord, networkHash, secondWord } from './client-network.ts'
import { NamePlaces, NO_PLACE, type Subject } from './name-places.ts'

const ASTERISK_LABEL = Uint8Array.of(1, 0x2a)
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
  /** The last zone that was counted for as a whole, and its position in `names` for each kind. */
  #zone = 0
  readonly #zoneAt = new Int32Array(KIND.OTHER + 1)

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

  /** Reads the places of names together, so that the processor waits for all of them at once, and not for each. */
  foresee(foreseen: Foreseen): void {
    this.#names.fetch(foreseen)
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
    const first = firstWord(client)
    const second = secondWord(client)
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
    const at = this.#names.place(subject)
    if (at === NO_PLACE) {
      subject.kind = KIND.OTHER
      this.#countZone(second, qtype, outcome)
    } else if (this.#countNetwork(at, first, second)) {
      this.#addFacets(at, qtype, outcome)
      this.#tell(DETAIL.network)
    } else this.#addAt(at, DETAIL.name, second, qtype, outcome)
  }

  #follow(state: number): void {
    this.#state = state
    this.#half = (state & STATE.HALF) === 0 ? this.#halves[0] : this.#halves[1]
    this.#names.half = this.#half
    this.#zone = 0
  }

  /** Counts a query for the name at this position from a network. @returns false when there is no room for the network */
  #countNetwork(at: number, first: number, second: number): boolean {
    const { names } = this.#half
    const times = names[at + NAME.TIMES] as number
    if (names[at + NAME.FIRST] !== first || names[at + NAME.SECOND] !== second) {
      if (times !== 0) return this.#countFurther(at, first, second)
      names[at + NAME.FIRST] = first
      names[at + NAME.SECOND] = second
    }
    if (times === TIMES_LIMIT) return false
    names[at + NAME.TIMES] = times + 1
    return true
  }

  #countFurther(nameAt: number, first: number, second: number): boolean {
    const { names, counts, countTags } = this.#half
    const name = nameAt / NAME.WORDS + 1
    const start = (names[nameAt + NAME.HASH] as number) ^ networkHash(this.#seed, first, second)
    const tag = placeTag(start)
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (start + probe) & this.#countMask
      const found = countTags[slot]
      if (found === 0) return this.#takeCount(slot, tag, name, first, second)
      if (found !== tag) continue
      const at = slot * COUNT.WORDS
      if (
        counts[at + COUNT.NAME] !== name ||
        counts[at + COUNT.FIRST] !== first ||
        counts[at + COUNT.SECOND] !== second
      ) {
        continue
      }
      const times = counts[at + COUNT.TIMES] as number
      if (times === TIMES_LIMIT) return false
      counts[at + COUNT.TIMES] = times + 1
      return true
    }
    return false
  }

  #takeCount(slot: number, tag: number, name: number, first: number, second: number): boolean {
    const { head, counts, countTags } = this.#half
    const taken = head[COUNTS_TAKEN] as number
    if (taken > TAKEN_LIMIT * this.#countMask) return false
    head[COUNTS_TAKEN] = taken + 1
    const at = slot * COUNT.WORDS
    counts[at + COUNT.NAME] = name
    counts[at + COUNT.FIRST] = first
    counts[at + COUNT.SECOND] = second
    counts[at + COUNT.TIMES] = 1
    // The tag is written last: if this thread dies before, the slot is still free.
    countTags[slot] = tag
    return true
  }

  #countZone(second: number, qtype: number, outcome: number): void {
    const subject = this.#subject
    // Most of these queries are a flood of one zone.
    if (this.#zone !== this.#hot.zone) {
      this.#zone = this.#hot.zone
      this.#zoneAt.fill(NO_PLACE)
    }
    let at = this.#zoneAt[subject.kind] as number
    if (at === NO_PLACE) {
      subject.ref = ~this.#hot.zone
      subject.hash = this.#suffixHash(this.#hot.apexLabel)
      at = this.#names.place(subject)
      this.#zoneAt[subject.kind] = at
    }
    if (at === NO_PLACE) this.#tell(DETAIL.none)
    else this.#addAt(at, DETAIL.zone, second, qtype, outcome)
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
    this.#addFacets(at, qtype, outcome)
    this.#tell(detail)
  }

  #addFacets(at: number, qtype: number, outcome: number): void {
    if (qtype !== TYPE.A) this.#addFacet(at, typeWord(qtype))
    if (outcome !== usualOutcome(this.#subject.kind)) this.#addFacet(at, outcome)
  }

  /** @param word of a record */
  #addFacet(at: number, word: number): void {
    const { names, records } = this.#half
    if (word >= OUTCOME.NODATA && word < RARE_TYPES) add(names, at + NAME.FROM_RECORD + word)
    else add(records, this.#names.record(at) + word)
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

function add(words: Int32Array, word: number): void {
  const times = words[word] as number
  if (times < TIMES_LIMIT) words[word] = times + 1
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
