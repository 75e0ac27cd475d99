/*
 * The queries that one thread answered for watched names, on their way to the main thread.
 *
 * The ring has a fixed size. The thread writes entries, the main thread reads them once a second. The thread only
 * touches it while somebody watches a name (`STATE.WATCHED`), and only for names in the watch list, which is a set of
 * the hashes of names. A query that finds the ring full is only counted, so the reader can tell what it missed.
 */
import type { HotPath, Outcome } from '../hot-path/index.ts'
import { OUTCOME } from '../hot-path/index.ts'
import { nameFromText, nameToText, typeToText } from '../names/index.ts'
import type { FoldedName, TableReader } from '../table/index.ts'
import { type CountTable, STATE, STATE_WORD } from './count-table.ts'
import { networkToText } from './counted-names.ts'

/** A query for a watched name, or below one. */
export interface LiveQuery {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly zone: string
  /** The name or wildcard that answered; for a missing name its closest encloser. */
  readonly name: string
  /** The queried name, in lower case. */
  readonly qname: string
  readonly type: string
  readonly rcode: string
  /** The client's network as CIDR, /24 or /48. */
  readonly network: string
}

/** The maximum number of watched names; the set of their hashes is four times as large. */
export const WATCHED_LIMIT = 1024
const SET_SLOTS = 4 * WATCHED_LIMIT
const ENTRIES = 2048
const ENTRY_BYTES = 288

// The words of the head.
const WRITTEN = 0
const READ = 1
const MISSED = 2
const HEAD_BYTES = 64
const SET_AT = HEAD_BYTES
const ENTRIES_AT = SET_AT + SET_SLOTS * 4

// An entry: its words, the time as a double, the octets of the queried name.
const FIRST = 0
const SECOND = 1
const TYPE_AND_OUTCOME = 2
/** Four octets: where the answering name and the apex begin, whether it is a wildcard, and the length of the name. */
const PLACES = 3
const TIME_AT = 16
const NAME_AT = 24

const RCODE_TEXT: Readonly<Record<number, string>> = {
  [OUTCOME.DATA]: 'NOERROR',
  [OUTCOME.NODATA]: 'NODATA',
  [OUTCOME.NXDOMAIN]: 'NXDOMAIN',
  [OUTCOME.OTHER]: 'other',
}

/** Creates the memory of one ring, 0.6 MiB. The operating system only allocates the used part. */
export function createLiveMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(ENTRIES_AT + ENTRIES * ENTRY_BYTES)
}

/** Both ends of a ring. */
export class LiveRing {
  readonly #head: Int32Array
  readonly #watched: Int32Array
  readonly #memory: SharedArrayBuffer

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4)
    this.#watched = new Int32Array(memory, SET_AT, SET_SLOTS)
  }

  /**
   * Says which names are watched; called on the main thread.
   *
   * @param names at most WATCHED_LIMIT are watched
   * @param table the counts of the same thread, which also tell it whether there are watched names
   */
  watch(names: readonly string[], table: CountTable, reader: TableReader): void {
    this.#watched.fill(0)
    const folded = reader.newName()
    for (const name of names.slice(0, WATCHED_LIMIT)) this.#add(wireHash(name, folded))
    const state = new Int32Array(table.memory, 0, 1)
    if (names.length > 0) Atomics.or(state, STATE_WORD, STATE.WATCHED)
    else Atomics.and(state, STATE_WORD, ~STATE.WATCHED)
  }

  /** Adds the last result of the hot path, if its name is watched; called on the answering thread. */
  add(hot: HotPath, first: number, second: number, qtype: number, outcome: Outcome): void {
    const { name } = hot.question
    if (!this.#isWatched(name, hot.apexLabel)) return
    const written = this.#head[WRITTEN] as number
    if (((written - Atomics.load(this.#head, READ)) | 0) >= ENTRIES) {
      Atomics.add(this.#head, MISSED, 1)
      return
    }
    const { words, octets, times } = this.#entry(written)
    const isMissing = hot.owner === 0
    const nameAt = isMissing ? (name.starts[hot.encloserLabel] as number) : hot.inventedOctets
    const isWildcard = !isMissing && hot.inventedOctets > 0 ? 1 : 0
    const apexAt = name.starts[hot.apexLabel] as number
    words[FIRST] = first
    words[SECOND] = second
    words[TYPE_AND_OUTCOME] = (qtype << 8) | outcome
    words[PLACES] = (nameAt << 24) | (apexAt << 16) | (isWildcard << 8) | name.length
    times[0] = Date.now()
    for (let at = 0; at < name.length; at++) octets[at] = name.octets[at] as number
    Atomics.store(this.#head, WRITTEN, (written + 1) | 0)
  }

  /** The number of entries; called on the main thread. */
  get size(): number {
    return (Atomics.load(this.#head, WRITTEN) - Atomics.load(this.#head, READ)) | 0
  }

  /** Takes the number of queries that did not fit since the last call; called on the main thread. */
  takeMissed(): number {
    return Atomics.exchange(this.#head, MISSED, 0)
  }

  /**
   * Removes all entries; called on the main thread.
   *
   * @param step returns one entry of so many
   */
  take(step: number): LiveQuery[] {
    const end = Atomics.load(this.#head, WRITTEN)
    const taken: LiveQuery[] = []
    const size = (end - Atomics.load(this.#head, READ)) | 0
    for (let at = size - 1; at >= 0; at -= step) taken.push(this.#read((end - 1 - at) | 0))
    Atomics.store(this.#head, READ, end)
    return taken
  }

  #read(index: number): LiveQuery {
    const { words, octets, times } = this.#entry(index)
    const [typeAndOutcome = 0, places = 0] = words.subarray(TYPE_AND_OUTCOME, PLACES + 1)
    const qname = octets.slice(0, places & 0xff)
    const answering = nameToText(qname.subarray(places >>> 24))
    return {
      atMs: times[0] ?? 0,
      zone: nameToText(qname.subarray((places >>> 16) & 0xff)),
      name: ((places >>> 8) & 0xff) === 0 ? answering : `*.${answering}`,
      qname: nameToText(qname),
      type: typeToText(typeAndOutcome >>> 8),
      rcode: RCODE_TEXT[typeAndOutcome & 0xff] ?? 'other',
      network: networkToText(words[FIRST] ?? 0, words[SECOND] ?? 0),
    }
  }

  // Views are only made for watched names.
  #entry(index: number) {
    const at = ENTRIES_AT + (index & (ENTRIES - 1)) * ENTRY_BYTES
    return {
      words: new Int32Array(this.#memory, at, PLACES + 1),
      times: new Float64Array(this.#memory, at + TIME_AT, 1),
      octets: new Uint8Array(this.#memory, at + NAME_AT, ENTRY_BYTES - NAME_AT),
    }
  }

  #isWatched(name: FoldedName, apexLabel: number): boolean {
    for (let label = 0; label <= apexLabel; label++) {
      if (this.#has(name.hashes[label] as number)) return true
    }
    return false
  }

  #has(hash: number): boolean {
    const wanted = hash || 1
    for (let probe = 0; probe < SET_SLOTS; probe++) {
      const found = this.#watched[(wanted + probe) & (SET_SLOTS - 1)]
      if (found === wanted) return true
      if (found === 0) return false
    }
    return false
  }

  #add(hash: number): void {
    const wanted = hash || 1
    let slot = wanted & (SET_SLOTS - 1)
    while (this.#watched[slot] !== 0 && this.#watched[slot] !== wanted) {
      slot = (slot + 1) & (SET_SLOTS - 1)
    }
    this.#watched[slot] = wanted
  }
}

function wireHash(name: string, folded: FoldedName): number {
  const octets = nameFromText(`${name}.`)
  folded.read(octets, 0)
  return folded.hashes[0] as number
}
