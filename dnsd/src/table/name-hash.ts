/*
 * The hash for finding names. It processes the labels from right to left, so one pass over a name gives the hash of
 * each of its suffixes, including its zone.
 *
 * Anyone can query any name, and many users can register one. With a known hash, they could choose names that collide
 * and make look-ups slow. Each step therefore uses a table of 256 random words, drawn when the process starts, so that
 * collisions are unpredictable.
 */
import { randomFillSync } from 'node:crypto'

const STEPS = 256
/** After the table: the hash of the root. */
const ROOT_AT = STEPS
const MAX_LABELS = 127

/** Creates the secret of one process, which its threads share. */
export function newHashKey(): SharedArrayBuffer {
  const key = new SharedArrayBuffer((STEPS + 1) * 4)
  // Random octets cannot be written into shared memory directly.
  new Uint8Array(key).set(randomFillSync(new Uint8Array(key.byteLength)))
  return key
}

// RFC 4343 §3: A to Z fold and nothing else does.
const FOLDED = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet,
)

/**
 * Mixes a name's hash with the zone number, to separate names of different zones. The low bits choose the tag, the high
 * ones the slot.
 */
export function zoneHash(hash: number, zone: number): number {
  let mixed = hash ^ Math.imul(zone, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * A parsed name: folded, with the offset and the hash of each of its suffixes. Suffix 0 is the whole name, suffix
 * `labels` the root. One object is reused for all questions of a thread.
 */
export class FoldedName {
  /** The name with A to Z in lower case, root included. */
  readonly octets = new Uint8Array(256)
  /** The offset of each suffix. */
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
   * Reads the uncompressed name at `at`.
   *
   * @returns the octets it takes, or 0 when it is invalid: a pointer, a reserved label type, more than 255 octets, or
   * past the end
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

// The indexes are within these fixed-length arrays, so the assertions are safe and save checks in the innermost loops.
function rootHash(key: Int32Array): number {
  return key[ROOT_AT] as number
}

/** The hash of a name one label longer. @param at the offset of the label's length octet, which is hashed too */
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
 * The hash of a folded name that is relative to the name of `apexHash`.
 *
 * @param at where the name begins; it takes `length` octets and has no root
 */
export function relativeHash(
  key: Int32Array,
  apexHash: number,
  octets: Uint8Array,
  at: number,
  length: number,
): number {
  let labels = 0
  for (let start = 0; start < length; start += 1 + (octets[at + start] as number)) {
    relativeStarts[labels] = start
    labels += 1
  }
  let hash = apexHash
  while (labels > 0) {
    labels -= 1
    hash = hashLabel(key, hash, octets, at + (relativeStarts[labels] as number))
  }
  return hash
}
