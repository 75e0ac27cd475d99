/* Reads the counts of a half that rests, name by name, and writes them as lines (`count-lines`). */
import { OUTCOME } from '../hot-path/index.ts'
import { networkToText } from './client-network.ts'
import {
  COUNT,
  type CountHalf,
  countHalf,
  type CountTable,
  KIND,
  type Kind,
  NAME,
  RARE_TYPES,
  RECORD,
  usualOutcome,
} from './count-table.ts'
import type { Half } from './count-halves.ts'
import type { LineBuffer } from './line-buffer.ts'

const TAB = 0x09
const LINE_FEED = 0x0a
const COMMA = 0x2c
const DOT = 0x2e
const OPENING = 0x7b
const CLOSING = 0x7d

const KIND_TEXT = {
  [KIND.NAME]: Buffer.from('name'),
  [KIND.NXDOMAIN]: Buffer.from('nxdomain'),
  [KIND.OTHER]: Buffer.from('other'),
} as const
const NULL = Buffer.from('NULL')
const IPV4_END = Buffer.from('.0/24')
// Two names with all octets escaped, counters and separators.
const LINE_OCTETS = 2 * 4 * 255 + 24 * 17 + 64
// Sums that no word of a record has.
const TYPE_A = RECORD.WORDS
const UDP = TYPE_A + 1
const TCP = UDP + 1
/** The sum of each of COUNTERS. */
const WORD_OF = Uint8Array.of(
  TYPE_A,
  ...Array.from({ length: RECORD.WORDS - RECORD.TYPES }, (_, index) => RECORD.TYPES + index),
  OUTCOME.DATA,
  OUTCOME.NODATA,
  OUTCOME.NXDOMAIN,
  OUTCOME.OTHER,
  UDP,
  TCP,
  RECORD.IPV4,
  RECORD.IPV6,
)

/**
 * The indices below are always within arrays of a fixed size. The type assertions save a branch.
 */
export class HalfReader {
  rows = 0
  queries = 0
  readonly #half: CountHalf
  readonly #transport: CountTable['transport']
  /** For each slot of a name, its first slot in `counts` plus 1; for each of these the next one plus 1. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #sums = new Float64Array(TCP + 1)
  #slot = 0

  constructor(table: CountTable, half: Half) {
    this.#half = countHalf(table, half)
    this.#transport = table.transport
    this.#first = new Int32Array(table.nameSlots)
    this.#next = new Int32Array(table.countSlots)
    const { counts, countTags } = this.#half
    for (let slot = 0; slot < countTags.length; slot++) {
      if (countTags[slot] === 0) continue
      const name = (counts[slot * COUNT.WORDS + COUNT.NAME] as number) - 1
      this.#next[slot] = this.#first[name] as number
      this.#first[name] = slot + 1
    }
  }

  /** Writes the line of the next name. @returns false when there are no more */
  write(buffer: LineBuffer): boolean {
    const { names, nameTags } = this.#half
    while (this.#slot < nameTags.length && nameTags[this.#slot] === 0) this.#slot += 1
    if (this.#slot === nameTags.length) return false
    const slot = this.#slot++
    const place = names[slot * NAME.WORDS + NAME.PLACE] as number
    const kind = (place & 3) as Kind
    const total = this.#addUp(slot)
    if (total === 0) return true
    this.queries += total
    buffer.reserve(LINE_OCTETS)
    buffer.constant(KIND_TEXT[kind])
    this.#writeNames(buffer, place >> 2, kind)
    this.#writeNetworks(buffer, slot, total)
    this.#writeCounters(buffer, total, kind)
    return true
  }

  /** Adds up the counts of a name. @returns the number of its queries */
  #addUp(slot: number): number {
    const { names, counts, records } = this.#half
    const sums = this.#sums
    const at = slot * NAME.WORDS
    const recordAt = ((names[at + NAME.RECORD] as number) - 1) * RECORD.WORDS
    for (let word = 0; word < RECORD.WORDS; word++) {
      sums[word] = recordAt < 0 ? 0 : (records[recordAt + word] as number)
    }
    for (let word: number = OUTCOME.NODATA; word < RARE_TYPES; word++) {
      sums[word] = names[at + NAME.FROM_RECORD + word] as number
    }
    sums[RECORD.IPV4] = names[at + NAME.IPV4] as number
    sums[RECORD.IPV6] = names[at + NAME.IPV6] as number
    this.#addNetwork(names[at + NAME.SECOND] as number, names[at + NAME.TIMES] as number)
    for (let next = this.#first[slot] as number; next > 0; next = this.#next[next - 1] as number) {
      const from = (next - 1) * COUNT.WORDS
      this.#addNetwork(counts[from + COUNT.SECOND] as number, counts[from + COUNT.TIMES] as number)
    }
    return this.#sum(RECORD.IPV4) + this.#sum(RECORD.IPV6)
  }

  #addNetwork(second: number, queries: number): void {
    this.#add(second === 0 ? RECORD.IPV4 : RECORD.IPV6, queries)
  }

  #sum(word: number): number {
    return this.#sums[word] as number
  }

  #add(word: number, queries: number): void {
    this.#sums[word] = (this.#sums[word] as number) + queries
  }

  #writeNames(buffer: LineBuffer, place: number, kind: Kind): void {
    const { octets } = this.#half
    const nameAt = place + 1
    const apexAt = nameAt + (octets[place] as number)
    buffer.octet(TAB)
    buffer.name(octets, apexAt)
    buffer.octet(TAB)
    // Only the apex itself and whole zones have an empty relative name.
    if (kind === KIND.NAME || nameAt !== apexAt) buffer.name(octets, nameAt)
    buffer.octet(TAB)
  }

  #writeNetworks(buffer: LineBuffer, slot: number, total: number): void {
    const { names, counts } = this.#half
    const nameAt = slot * NAME.WORDS
    const times = names[nameAt + NAME.TIMES] as number
    let rest = total - times
    let begin = OPENING
    if (times > 0) {
      buffer.octet(begin)
      begin = COMMA
      writeNetwork(
        buffer,
        names[nameAt + NAME.FIRST] as number,
        names[nameAt + NAME.SECOND] as number,
      )
      this.rows += 1
    }
    const first = this.#first[slot] as number
    for (let next = first; next > 0; next = this.#next[next - 1] as number) {
      const at = (next - 1) * COUNT.WORDS
      buffer.reserve(LINE_OCTETS)
      buffer.octet(COMMA)
      writeNetwork(buffer, counts[at + COUNT.FIRST] as number, counts[at + COUNT.SECOND] as number)
      rest -= counts[at + COUNT.TIMES] as number
      this.rows += 1
    }
    if (rest > 0) {
      buffer.octet(begin)
      buffer.constant(NULL)
      this.rows += 1
    }
    buffer.octet(CLOSING)
    buffer.octet(TAB)
    this.#writeTimes(buffer, times, first, rest)
  }

  /** Writes the numbers of queries of the same networks. */
  #writeTimes(buffer: LineBuffer, times: number, first: number, rest: number): void {
    const { counts } = this.#half
    buffer.octet(OPENING)
    if (times > 0) buffer.number(times)
    for (let next = first; next > 0; next = this.#next[next - 1] as number) {
      buffer.reserve(LINE_OCTETS)
      buffer.octet(COMMA)
      buffer.number(counts[(next - 1) * COUNT.WORDS + COUNT.TIMES] as number)
    }
    if (rest > 0) {
      if (times > 0) buffer.octet(COMMA)
      buffer.number(rest)
    }
    buffer.octet(CLOSING)
  }

  /** Writes the counters in the order of COUNTERS. */
  #writeCounters(buffer: LineBuffer, total: number, kind: Kind): void {
    const sums = this.#sums
    let outcomes = 0
    for (let word: number = OUTCOME.DATA; word <= OUTCOME.NODATA; word++) {
      outcomes += sums[word] as number
    }
    this.#add(usualOutcome(kind), total - outcomes)
    let types = 0
    for (let word = RECORD.TYPES; word < RECORD.WORDS; word++) {
      types += sums[word] as number
    }
    sums[TYPE_A] = total - types
    sums[UDP] = this.#transport === 'udp' ? total : 0
    sums[TCP] = total - sums[UDP]
    buffer.reserve(LINE_OCTETS)
    buffer.octet(TAB)
    buffer.array(sums, WORD_OF)
    buffer.octet(LINE_FEED)
  }
}

function writeNetwork(buffer: LineBuffer, first: number, second: number): void {
  if (second !== 0) {
    buffer.text(networkToText(first, second))
    return
  }
  buffer.number(first >>> 24)
  buffer.octet(DOT)
  buffer.number((first >>> 16) & 0xff)
  buffer.octet(DOT)
  buffer.number((first >>> 8) & 0xff)
  buffer.constant(IPV4_END)
}
