/*
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF") with 32-bit halves, because JavaScript has no
 * fast 64-bit integers. It runs for each answer with a cookie, and allocates nothing.
 */
const ROUNDS = 2
const FINAL_ROUNDS = 4

// v0 to v3, the low half before the high one. The code is synchronous, so one buffer is enough.
const state = new Int32Array(8)

/**
 * @param key four words, little endian
 * @param octets all of them are hashed
 * @param into receives the result's eight octets from `at` on, little endian as in the paper
 */
export function sipHash(key: Uint32Array, octets: Uint8Array, into: Uint8Array, at: number): void {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = key
  state[0] = k0 ^ 0x70736575
  state[1] = k1 ^ 0x736f6d65
  state[2] = k2 ^ 0x6e646f6d
  state[3] = k3 ^ 0x646f7261
  state[4] = k0 ^ 0x6e657261
  state[5] = k1 ^ 0x6c796765
  state[6] = k2 ^ 0x79746573
  state[7] = k3 ^ 0x74656462
  const whole = octets.length & ~7
  for (let from = 0; from < whole; from += 8) {
    compress(wordAt(octets, from), wordAt(octets, from + 4))
  }
  // The rest, and the length in the last octet, so that inputs of different lengths differ.
  compress(wordAt(octets, whole), wordAt(octets, whole + 4) | (octets.length << 24))
  state[4] = (state[4] ?? 0) ^ 0xff
  for (let count = 0; count < FINAL_ROUNDS; count++) round()
  for (let half = 0; half < 2; half++) {
    const word =
      (state[half] ?? 0) ^ (state[2 + half] ?? 0) ^ (state[4 + half] ?? 0) ^ (state[6 + half] ?? 0)
    for (let octet = 0; octet < 4; octet++) into[at + 4 * half + octet] = word >>> (8 * octet)
  }
}

function compress(low: number, high: number): void {
  state[6] = (state[6] ?? 0) ^ low
  state[7] = (state[7] ?? 0) ^ high
  for (let count = 0; count < ROUNDS; count++) round()
  state[0] = (state[0] ?? 0) ^ low
  state[1] = (state[1] ?? 0) ^ high
}

function round(): void {
  add(0, 2)
  turn(2, 13, 0)
  swap(0)
  add(4, 6)
  turn(6, 16, 4)
  add(0, 6)
  turn(6, 21, 0)
  add(4, 2)
  turn(2, 17, 4)
  swap(4)
}

/** Adds the number at `other` to the number at `to`, modulo 2⁶⁴. */
function add(to: number, other: number): void {
  const sum = ((state[to] ?? 0) >>> 0) + ((state[other] ?? 0) >>> 0)
  state[to] = sum
  const carry = sum > 0xffff_ffff ? 1 : 0
  state[to + 1] = ((state[to + 1] ?? 0) + (state[other + 1] ?? 0) + carry) | 0
}

/** Rotates the number at `of` left by less than 32 bits, and XORs the number at `other` into it. */
function turn(of: number, bits: number, other: number): void {
  const [low, high] = [state[of] ?? 0, state[of + 1] ?? 0]
  state[of] = ((low << bits) | (high >>> (32 - bits))) ^ (state[other] ?? 0)
  state[of + 1] = ((high << bits) | (low >>> (32 - bits))) ^ (state[other + 1] ?? 0)
}

/** Rotates the number by 32 bits. */
function swap(of: number): void {
  const low = state[of] ?? 0
  state[of] = state[of + 1] ?? 0
  state[of + 1] = low
}

// Octets past the end count as zero.
function wordAt(octets: Uint8Array, at: number): number {
  return (
    (octets[at] ?? 0) |
    ((octets[at + 1] ?? 0) << 8) |
    ((octets[at + 2] ?? 0) << 16) |
    ((octets[at + 3] ?? 0) << 24)
  )
}
