import type { Foreseen, HotPath } from '../hot-path/index.ts'
import { NAME_AT, NAME_LENGTH_AT, octetOf, type TableReader } from '../table/index.ts'
import {
  type CountHalf,
  type Kind,
  NAME,
  NAMES_TAKEN,
  OCTETS_TAKEN,
  placeTag,
  PROBES,
  RECORD,
  RECORDS_TAKEN,
  TAKEN_LIMIT,
  ZONES_TAKEN_LIMIT,
} from './count-table.ts'

export const NO_PLACE = -1

/** The name that a query counts for: set for each query, so that nothing is allocated. */
export interface Subject {
  kind: Kind
  /** Its table entry, or the complement of the zone number. */
  ref: number
  hash: number
}

/**
 * The names that one thread counts for, in the tables `names` and `records` of a half.
 *
 * The indices below are always within arrays of a fixed size. The type assertions save a branch.
 */
export class NamePlaces {
  readonly #reader: TableReader
  readonly #hot: HotPath
  readonly #mask: number
  /** Without a meaning: reads without a visible result would be optimised away. */
  touched = 0
  /** The half that is counted in. */
  half: CountHalf

  /** @param nameSlots a power of two */
  constructor(half: CountHalf, reader: TableReader, hot: HotPath, nameSlots: number) {
    this.half = half
    this.#reader = reader
    this.#hot = hot
    this.#mask = nameSlots - 1
  }

  /** Reads the slots of names into the processor's cache. */
  fetch({ hashes, hashCount }: Foreseen): void {
    const { names, nameTags } = this.half
    let touched = 0
    for (let index = 0; index < hashCount; index++) {
      const hash = hashes[index] as number
      const tag = placeTag(hash)
      let slot = hash & this.#mask
      let found = nameTags[slot] as number
      for (let probe = 0; probe < PROBES && found !== 0 && found !== tag; probe++) {
        slot = (slot + 1) & this.#mask
        found = nameTags[slot] as number
      }
      if (found !== 0) touched ^= names[slot * NAME.WORDS] as number
    }
    this.touched ^= touched
  }

  /** The position of a subject in `names`. Takes a free slot when there is no entry yet. */
  place({ kind, ref, hash }: Subject): number {
    const { names, nameTags } = this.half
    const tag = placeTag(hash)
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (hash + probe) & this.#mask
      const found = nameTags[slot]
      if (found === 0) return this.#take(slot, hash, kind, ref)
      if (found !== tag) continue
      const at = slot * NAME.WORDS
      const place = names[at + NAME.PLACE] as number
      if (names[at + NAME.HASH] !== hash || (place & 3) !== kind) continue
      if (names[at + NAME.REF] === ref) return at
      if (ref > 0 && this.isNamed(at, ref)) {
        names[at + NAME.REF] = ref
        return at
      }
    }
    return NO_PLACE
  }

  /** The position in `records` of the record of a name. There is one for each name that has a slot. */
  record(nameAt: number): number {
    const { head, names } = this.half
    let number = names[nameAt + NAME.RECORD] as number
    if (number === 0) {
      number = (head[RECORDS_TAKEN] as number) + 1
      head[RECORDS_TAKEN] = number
      names[nameAt + NAME.RECORD] = number
    }
    return (number - 1) * RECORD.WORDS
  }

  /** Whether an entry of `names` is the name of a table entry in the zone that the hot path found. */
  isNamed(at: number, ref: number): boolean {
    const { names, octets } = this.half
    const { name } = this.#hot.question
    const nameAt = (names[at + NAME.PLACE] as number) >> 2
    const entries = this.#reader.octetsOf(ref)
    const ownerAt = octetOf(ref)
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

  #take(slot: number, hash: number, kind: Kind, ref: number): number {
    const { head, names, nameTags, octets } = this.half
    const limit = ref > 0 ? TAKEN_LIMIT : ZONES_TAKEN_LIMIT
    const taken = head[NAMES_TAKEN] as number
    if (taken > limit * this.#mask) return NO_PLACE
    // Offset 0 marks a free slot, so the first octet is not used.
    const nameAt = 1 + (head[OCTETS_TAKEN] as number)
    const nameEnd = this.#copyName(ref, nameAt, limit * octets.length)
    if (nameEnd === 0) return NO_PLACE
    head[OCTETS_TAKEN] = nameEnd - 1
    head[NAMES_TAKEN] = taken + 1
    const at = slot * NAME.WORDS
    names[at + NAME.HASH] = hash
    names[at + NAME.REF] = ref
    names[at + NAME.PLACE] = (nameAt << 2) | kind
    nameTags[slot] = placeTag(hash)
    return at
  }

  /** @returns the end of the name, 0 when there is not enough room */
  #copyName(ref: number, nameAt: number, limit: number): number {
    const { octets } = this.half
    const { question, apexLabel } = this.#hot
    const { name } = question
    const apexAt = name.starts[apexLabel] as number
    const ownerAt = ref > 0 ? octetOf(ref) : 0
    const entries = this.#reader.octetsOf(ref > 0 ? ref : 0)
    const length = ref > 0 ? (entries[ownerAt + NAME_LENGTH_AT] as number) : 0
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
}
