/** Counters that survive a restart and that all replicas share (table `rate_limits`). */
import type { Knex } from 'knex'
import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { BoundedMap } from './bounded-map.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/**
 * How often each thing may happen, in an hour where no other span is named.
 *
 * Passwords (20 evaluated for an account, 100 for a network): a name and an
 * e-mail address are counted apart, or a used-up count would tell that both are one
 * account's. So each may be tried 10 times: 8 times by strangers, of which one network
 * gets 6, so that somebody who guesses cannot keep the owner out elsewhere; and twice
 * more from networks where the right password was given before.
 *
 * The figures of networks that `network-limits.ts` counts are those of an IPv4 address or an IPv6 /64; an IPv6 /48 has several times
 * as much. Those of registrations are of an IPv4 /24 or an IPv6 /48.
 *
 * Second factors: whoever tries has the password already. Of a million codes three are right at any
 * time; with five tries in five minutes finding one takes eight months, and the owner sees the tries.
 * Recovery codes cannot be guessed, and are counted apart, so that guesses of the others do not keep
 * out the owner who holds the paper.
 *
 * What an account does over and over leaves something behind each time, whatever it takes back in between. A name
 * that is registered and deleted has a history, and twice that for a largest plan which is filled in one go is plenty. Keys
 * and second factors are told of by mail; nobody wants sixty of these, and what is beyond is refused: it must not happen untold.
 */
const LIMITS = {
  'register-network': 20,
  'captcha-network': 200,
  'new-accounts-network': { points: 3, seconds: DAY_SECONDS },
  'resend-address': 5,
  'resend-network': 20,
  'notice-address': 5,
  'change-email-account': 5,
  'change-email-address': 5,
  'forgot-address': 5,
  'forgot-network': 20,
  'exchange-network': 300,
  'exchange-policy': 300,
  'export-account': { points: 5, seconds: DAY_SECONDS },
  'new-names-account': 1_000,
  'notices-account': 60,
  'passkey-network': 300,
  'passkey-notice': 5,
  'password-pair': 6,
  'password-account': 8,
  'password-known': 2,
  'password-network': 100,
  'totp-account': { points: 5, seconds: 300 },
  'recovery-account': { points: 10, seconds: 300 },
} as const

export type LimitName = keyof typeof LIMITS

interface Limit {
  readonly points: number
  readonly seconds: number
}

function limitOf(name: LimitName): Limit {
  const limit: number | Limit = LIMITS[name]
  return typeof limit === 'number' ? { points: limit, seconds: HOUR_SECONDS } : limit
}

function makeLimiter(knex: Knex, name: LimitName, factor: number): RateLimiterPostgres {
  const limit = limitOf(name)
  const points = limit.points * factor
  return new RateLimiterPostgres({
    storeClient: knex,
    storeType: 'knex',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: limit.seconds,
    // A key far beyond its limit is refused without a query.
    inMemoryBlockOnConsumed: points + 1,
  })
}

function storedKey(key: string): string {
  // Keys are people's addresses; the table needs to tell them apart, not to know them.
  return createHash('sha256').update(key.toLowerCase()).digest('base64url')
}

/** Refusals that are remembered; the oldest are forgotten. */
const REFUSALS_LIMIT = 20_000

export class RateLimits {
  readonly #knex: Knex
  readonly #isOn: boolean
  /** By name and factor. */
  readonly #limiters = new Map<string, RateLimiterPostgres>()
  /** Until when what was refused stays refused, by performance.now(). */
  readonly #refusedUntil = new BoundedMap<string, number>(REFUSALS_LIMIT)
  readonly #refusals = new Map<LimitName, number>()

  /** @param isOn false: nothing is limited */
  constructor(knex: Knex, isOn: boolean) {
    this.#knex = knex
    this.#isOn = isOn
  }

  #limiter(name: LimitName, factor = 1): RateLimiterPostgres | undefined {
    if (!this.#isOn) return undefined
    const id = `${name} ${factor}`
    const limiter = this.#limiters.get(id) ?? makeLimiter(this.#knex, name, factor)
    this.#limiters.set(id, limiter)
    return limiter
  }

  /** How often each limit has refused in this process. */
  get refusals(): ReadonlyMap<LimitName, number> {
    return this.#refusals
  }

  /**
   * Counts one more.
   *
   * @param factor how many times the limit's figure the key is allowed
   * @returns undefined when it may happen, else the seconds until it may again
   */
  async take(name: LimitName, key: string, factor = 1): Promise<number | undefined> {
    const stored = storedKey(key)
    try {
      await this.#limiter(name, factor)?.consume(stored)
      return undefined
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1)
      this.#refusedUntil.set(`${name} ${stored}`, performance.now() + refusal.msBeforeNext)
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
    }
  }

  /**
   * Whether this process has seen a limit refuse already. It counts nothing and asks nobody.
   *
   * @returns the seconds until it may happen again; undefined when that has to be asked
   */
  refusedFor(name: LimitName, key: string): number | undefined {
    if (this.#refusedUntil.size === 0) return undefined
    const until = this.#refusedUntil.get(`${name} ${storedKey(key)}`) ?? 0
    const waitMs = until - performance.now()
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : undefined
  }

  /** How often something happened within its span. It counts nothing. */
  async countOf(name: LimitName, key: string): Promise<number> {
    const counted = await this.#limiter(name)?.get(storedKey(key))
    return counted?.consumedPoints ?? 0
  }

  /** Takes one back that turned out not to count. */
  async giveBack(name: LimitName, key: string): Promise<void> {
    await this.#limiter(name)?.reward(storedKey(key))
  }
}
