const ROUNDS_AT_END = 3

/**
 * HalfSipHash-1-3 with a 64-bit result (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), over
 * three words and a domain name in any letter case.
 *
 * A hash with one multiplication per octet would be faster. But inputs are known that collide in such a
 * hash under every seed, and a client that sends them would share a counter with another client. This hash
 * is designed for a secret key.
 */
export class KeyedHash {
  /** The two halves of the last result. */
  low = 0
  high = 0
  readonly #key0: number
  readonly #key1: number

  constructor(key0: number, key1: number) {
    this.#key0 = key0 | 0
    this.#key1 = key1 | 0
  }

  /** Leaves its result in `low` and `high`, so that it does not allocate. */
  update(a: number, b: number, c: number, octets: Uint8Array, start: number, end: number): void {
    let v0 = this.#key0
    let v1 = this.#key1 ^ 0xee
    let v2 = 0x6c796765 ^ this.#key0
    let v3 = 0x74656462 ^ this.#key1
    // The upper octet of the last word has the length, which prevents extension collisions.
    const nameWords = ((end - start) >> 2) + 1
    const lastWord = 2 + nameWords
    const lastRound = lastWord + 2 * ROUNDS_AT_END
    for (let round = 0; round <= lastRound; round++) {
      let word = 0
      if (round === 0) word = a
      else if (round === 1) word = b
      else if (round === 2) word = c
      else if (round <= lastWord) word = wordAt(octets, start, start + ((round - 3) << 2), end)
      else if (round === lastWord + 1) v2 ^= 0xee
      else if (round === lastWord + 1 + ROUNDS_AT_END) {
        this.low = v1 ^ v3
        v1 ^= 0xdd
      }
      v3 ^= word
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= word
    }
    this.high = v1 ^ v3
  }
}

/**
 * Four octets, little endian, ASCII letters folded to lower case. Past the end: the remaining octets and
 * the length.
 */
function wordAt(octets: Uint8Array, start: number, at: number, end: number): number {
  if (at + 4 <= end) {
    return foldCase(
      (octets[at] ?? 0) |
        ((octets[at + 1] ?? 0) << 8) |
        ((octets[at + 2] ?? 0) << 16) |
        ((octets[at + 3] ?? 0) << 24),
    )
  }
  let word = 0
  for (let each = at; each < end; each++) word |= (octets[each] ?? 0) << ((each - at) << 3)
  return foldCase(word) | ((end - start) << 24)
}

// Folds all four octets at once: 0x80 stays set where an octet is from A to Z, and a quarter of it is 0x20.
// Label lengths are below A, so a name can be folded without locating its labels.
function foldCase(word: number): number {
  const seven = word & 0x7f7f7f7f
  const fromA = seven + 0x3f3f3f3f
  const pastZ = seven + 0x25252525
  return word | ((~word & (fromA ^ pastZ) & 0x80808080) >>> 2)
}
