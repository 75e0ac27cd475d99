/*
 * Response rate limiting. Over UDP a source address can be forged, so the answers to one network are
 * limited. This bounds what the server adds to a flood against a victim.
 *
 *   client-address        finds the network of a client
 *   limited-answer        the key under which an answer is counted, and its shortened form above the limit
 *   keyed-hash            selects the bucket with a secret key
 *   rate-limit-buckets    counts in memory of a fixed size that all threads share
 *
 * Above the limit, one answer in `slip` becomes an empty one with TC. A real client retries over TCP,
 * where addresses cannot be forged. The other answers are dropped. Answers over TCP and to valid cookies
 * (RFC 7873 §5.2.3) are not counted; the caller must not pass them.
 */
import type { Network } from '../settings/network.ts'
import { ClientAddress, networkWords, type NetworkWords } from './client-address.ts'
import { KeyedHash } from './keyed-hash.ts'
import { LimitedAnswer, shorten } from './limited-answer.ts'
import { RateLimitBuckets, type RateLimitTable, TICK_MICROSECONDS } from './rate-limit-buckets.ts'

export { createRateLimitTable, limitedCounts, type RateLimitTable } from './rate-limit-buckets.ts'

export interface RateLimitSettings {
  /** Answers per second to one network: about one name, for NXDOMAIN of one zone, and for errors. */
  readonly responsesPerSecond: number
  /** One of this many answers over the rate is sent with TC; 1 sends all of them, 0 none. */
  readonly slip: number
  /** The prefix length of IPv4 networks, up to 32. */
  readonly ipv4Prefix: number
  /** The prefix length of IPv6 networks, up to 64. */
  readonly ipv6Prefix: number
  /** Addresses and networks that are never rate-limited. */
  readonly exempt: readonly Network[]
}

export const DEFAULT_RATE_LIMIT: RateLimitSettings = {
  responsesPerSecond: 20,
  slip: 2,
  ipv4Prefix: 24,
  ipv6Prefix: 56,
  exempt: [],
}

// A network stays limited for this long after a flood, so that a continuous flood gets no answers.
const DEBT_SECONDS = 5
const CLOCK_READINGS = 16

/**
 * A monotonic clock in microseconds, modulo 2³², and random numbers from 0 to 1. Tests pass in their
 * own.
 */
export interface RateLimitSources {
  readonly now: () => number
  readonly chance: () => number
}

/** Rate-limits the answers of one thread. It does not allocate per answer. */
export class RateLimiter {
  readonly #settings: RateLimitSettings
  readonly #exempt: readonly NetworkWords[]
  readonly #buckets: RateLimitBuckets
  readonly #hash: KeyedHash
  readonly #sources: RateLimitSources
  readonly #client = new ClientAddress()
  readonly #answer = new LimitedAnswer()

  /**
   * @param table of `createRateLimitTable`, the same for all threads
   * @throws RangeError when an exempt network is invalid
   */
  constructor(
    table: RateLimitTable,
    settings: RateLimitSettings = DEFAULT_RATE_LIMIT,
    sources: RateLimitSources = { now: sharedClock(), chance: Math.random },
  ) {
    const { responsesPerSecond } = settings
    this.#settings = settings
    this.#sources = sources
    this.#exempt = settings.exempt.map(networkWords)
    this.#buckets = new RateLimitBuckets(table, { responsesPerSecond, debtSeconds: DEBT_SECONDS })
    this.#hash = new KeyedHash(...this.#buckets.seed)
  }

  /**
   * Counts an answer that is about to be sent over UDP.
   *
   * @param client as `node:dgram` gives it
   * @param answer is overwritten when it must be shortened
   * @param inventedOctets how many leading octets of the QNAME a wildcard matched
   * @returns how many octets of `answer` to send: all, fewer if it was shortened, or 0
   */
  limit(client: string, answer: Uint8Array, bytes: number, inventedOctets: number): number {
    this.#client.readText(client)
    return this.limitClient(this.#client, answer, bytes, inventedOctets)
  }

  /** Like `limit`, for a client address as numbers. */
  limitClient(
    client: ClientAddress,
    answer: Uint8Array,
    bytes: number,
    inventedOctets: number,
  ): number {
    if (this.#isExempt(client)) return bytes
    this.#answer.read(answer, inventedOctets)
    const { kind } = this.#answer
    this.#hashBucket(client, answer)
    const { low, high } = this.#hash
    const now = (this.#sources.now() / TICK_MICROSECONDS) | 0
    if (this.#buckets.take(low, high, now)) return bytes
    const { slip } = this.#settings
    // Random instead of in turn: an attacker who could predict the turn could claim it.
    if (slip === 0 || this.#sources.chance() * slip >= 1) {
      this.#buckets.count('dropped')
      return 0
    }
    this.#buckets.count('slipped')
    return shorten(answer, bytes, kind)
  }

  #isExempt(client: ClientAddress): boolean {
    for (const network of this.#exempt) if (client.isIn(network)) return true
    return false
  }

  #hashBucket(client: ClientAddress, answer: Uint8Array): void {
    const { kind, nameStart, nameEnd } = this.#answer
    const { ipv4Prefix, ipv6Prefix } = this.#settings
    const isIpv4 = client.family === 4
    const bits = isIpv4 ? ipv4Prefix : ipv6Prefix
    const second = isIpv4 ? 0 : client.prefixWord(1, bits)
    const kindWord = (client.family << 8) | kind
    this.#hash.update(client.prefixWord(0, bits), second, kindWord, answer, nameStart, nameEnd)
  }
}

/**
 * A microsecond clock that all threads share. `performance.now` starts with each thread, and the system
 * clock is shared but allocates an object for each call.
 */
function sharedClock(): () => number {
  let startedAt = 0
  let leastMs = Infinity
  // The two clocks cannot be read at once, and the thread may be suspended between the readings.
  for (let tries = 0; tries < CLOCK_READINGS; tries++) {
    const beforeMs = performance.now()
    const nanoseconds = process.hrtime.bigint()
    const afterMs = performance.now()
    if (afterMs - beforeMs >= leastMs) continue
    leastMs = afterMs - beforeMs
    startedAt = Number(nanoseconds / 1000n) - beforeMs * 1000
  }
  // A 32-bit integer needs no heap object. A fractional number would need one for each answer.
  return () => (startedAt + performance.now() * 1000) | 0
}
