/*
 * The hash by which names are found. It takes a name's labels from the right to the left, so that one pass
 * over a name gives the hash of each name above it, its zone's among them.
 *
 * Anyone may ask for any name, and many may register one. With a hash that is known they could choose names
 * that all fall into one place and make each look-up long. So each step goes through a table of 256 random
 * words, drawn when the process starts: without it nobody can say which names meet.
 */
import { randomFillSync } from 'node:crypto'

const STEPS = 256
/** Behind the table: the hash of the root. */
const ROOT_AT = STEPS
const MAX_LABELS = 127

/** The secret of one process, shared by its threads. */
export function newHashKey(): SharedArrayBuffer {
  const key = new SharedArrayBuffer((STEPS + 1) * 4)
  // Random octets are not written into shared memory directly.
  new Uint8Array(key).set(randomFillSync(new Uint8Array(key.byteLength)))
  return key
}

// RFC 4343 §3: A to Z fold and nothing else does.
const FOLDED = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet,
)

/** Spreads a name's hash, and keeps names of different zones apart. The low bits choose a slot, the high ones a tag. */
export function zoneHash(hash: number, zone: number): number {
  let mixed = hash ^ Math.imul(zone, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * A name taken apart: folded, with the place and the hash of each of its suffixes. Suffix 0 is the whole
 * name, suffix `labels` the root. One object serves for all questions of a thread.
 */
export class FoldedName {
  /** The name with A to Z in lower case, root included. */
  readonly octets = new Uint8Array(256)
  /** Where each suffix begins. */
  readonly starts = new Uint8Array(MAX_LABELS + 1)
  /** The hash of each suffix, before `zoneHash`. */
  readonly hashes = new Int32Array(MAX_LABELS + 1)
  /** Number of labels; the root has none. */
  labels = 0
  /** Octets of the name, root included. */
  length = 0
  readonly #key: Int32Array

  constructor(key: SharedArrayBuffer) {
    this.#key = new Int32Array(key)
  }

  /**
   * Takes the uncompressed name at `at`.
   *
   * @returns the octets it takes, or 0 when there is none: a pointer, a reserved label type, more than 255
   * octets, or past the end
   */
  read(from: Uint8Array, at: number): number {
    const { octets, starts } = this
    const limit = Math.min(from.length - at, 255)
    let length = 0
    let labels = 0
    for (;;) {
      if (length >= limit) return 0
      const labelLength = from[at + length] as number
      starts[labels] = length
      octets[length] = labelLength
      if (labelLength === 0) break
      const end = length + 1 + labelLength
      if (labelLength > 63 || end >= limit) return 0
      for (length += 1; length < end; length++) {
        octets[length] = FOLDED[from[at + length] as number] as number
      }
      labels += 1
    }
    this.labels = labels
    this.length = length + 1
    this.#hash()
    return length + 1
  }

  /** The hash of the name one label longer than a suffix. */
  hashWithLabel(suffix: number, label: Uint8Array): number {
    const hash = this.hashes[suffix] as number
    return hashLabel(this.#key, hash, label, 0)
  }

  #hash(): void {
    const { octets, starts, hashes, labels } = this
    let hash = rootHash(this.#key)
    hashes[labels] = hash
    for (let label = labels - 1; label >= 0; label--) {
      hash = hashLabel(this.#key, hash, octets, starts[label] as number)
      hashes[label] = hash
    }
  }
}

// The numbers an array of fixed length holds are there: the assertions here spare a check in the innermost loops.
function rootHash(key: Int32Array): number {
  return key[ROOT_AT] as number
}

/** The hash of a name one label longer. @param at of the label's length octet, which counts too */
export function hashLabel(key: Int32Array, hash: number, octets: Uint8Array, at: number): number {
  const end = at + (octets[at] as number)
  let state = hash
  for (let index = at; index <= end; index++) {
    state = (key[(state ^ (octets[index] as number)) & 0xff] as number) ^ (state >>> 8)
  }
  return state
}

const relativeStarts = new Uint8Array(MAX_LABELS + 1)

/**
 * The hash of a folded name that is relative to `originHash`'s name.
 *
 * @param at where the name begins; it takes `length` octets and has no root
 */
export function relativeHash(
  key: Int32Array,
  originHash: number,
  octets: Uint8Array,
  at: number,
  length: number,
): number {
  let labels = 0
  for (let start = 0; start < length; start += 1 + (octets[at + start] as number)) {
    relativeStarts[labels] = start
    labels += 1
  }
  let hash = originHash
  while (labels > 0) {
    labels -= 1
    hash = hashLabel(key, hash, octets, at + (relativeStarts[labels] as number))
  }
  return hash
}
