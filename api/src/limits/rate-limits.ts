/**
 * Rate limits whose counters survive a restart and are shared by all replicas (table
 * `rate_limits`).
 */
import type { Knex } from 'knex'
import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { BoundedMap } from './bounded-map.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/**
 * How often each event may happen, in an hour where no other span is given.
 *
 * Passwords (20 attempts for an account, 100 for a network): user name and email address have separate counters; a shared counter
 * would reveal that both belong to one account. So each allows 10 attempts: 8 from strangers, of which one network gets 6, so that
 * an attacker cannot lock the owner out elsewhere; and 2 more from networks where the right password was given before.
 *
 * The numbers for the networks of `network-limits.ts` apply to an IPv4 address or an IPv6 /64; an IPv6 /48 is allowed a multiple.
 * Those of registrations apply to an IPv4 /24 or an IPv6 /48.
 *
 * Second factors: the caller already has the password. Three of a million codes are valid at any time; with five attempts in five
 * minutes, guessing one takes eight months, and the owner sees the attempts. Recovery codes cannot be guessed. They have a counter
 * of their own, so that guesses of the other codes do not lock out an owner who has them on paper.
 *
 * A check of a web forward's target makes up to seven requests to hosts of others. A check of a delegation sends some hundred
 * DNS queries to servers of others. A claim of a domain begins with one.
 *
 * A check of propagation sends some three queries to each of the service's own name servers, and more while one is behind.
 *
 * A checkout creates a customer, a session and billing details at a payment provider and here. Other calls about a subscription make
 * up to ten requests to the provider, which limits how often it is called for the whole service.
 *
 * Repeated actions of an account leave data behind even when the account undoes them. A name that is registered and deleted leaves
 * history; the limit is twice what filling the largest plan at once takes. A batch
 * counts each name that it registers. It also counts each name that it asks for, because its verdicts say which names are free. Calls with an idempotency key store their response for a day. Users are notified of keys and second factors by mail;
 * sixty such mails are the limit, and actions beyond it are refused, because they must not happen unnoticed.
 *
 * Changes of records leave their values in the history, before and after. Long ones count in KiB: a zone file of the largest size
 * can be replaced four times.
 */
const LIMITS = {
  'register-network': 20,
  'captcha-network': 200,
  'new-accounts-network': { points: 3, seconds: DAY_SECONDS },
  'resend-address': 5,
  'resend-network': 20,
  'availability-network': 600,
  'availability-account': 600,
  'batches-account': 300,
  'batch-names-account': 5_000,
  'record-size-account': 64 * 1_024,
  'idempotency-account': 2_000,
  'notice-address': 5,
  'change-email-account': 5,
  'change-email-address': 5,
  'forgot-address': 5,
  'forgot-network': 20,
  'exchange-network': 300,
  'exchange-policy': 300,
  'forward-checks-account': 120,
  'checkouts-account': 60,
  'provider-calls-account': 300,
  'zone-claims-account': 60,
  'zone-checks-account': 30,
  'propagation-account': 600,
  'export-account': { points: 5, seconds: DAY_SECONDS },
  'new-names-account': 1_000,
  'monitor-tests-account': 5,
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
    // A key far over its limit is refused without a query.
    inMemoryBlockOnConsumed: points + 1,
  })
}

function storedKey(key: string): string {
  // Keys contain users' addresses. The table needs to distinguish them, not to know them.
  return createHash('sha256').update(key.toLowerCase()).digest('base64url')
}

/** Maximum number of remembered refusals; the oldest are forgotten. */
const REFUSALS_LIMIT = 20_000

export class RateLimits {
  readonly #knex: Knex
  readonly #isOn: boolean
  /** Keyed by name and factor. */
  readonly #limiters = new Map<string, RateLimiterPostgres>()
  /** Until when each refusal lasts, by performance.now(). */
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

  /** Refusals of each limit in this process. */
  get refusals(): ReadonlyMap<LimitName, number> {
    return this.#refusals
  }

  /**
   * Counts one more.
   *
   * @param factor multiple of the limit that the key is allowed
   * @param count how many to count
   * @returns undefined when the event is allowed, else the seconds until a retry
   */
  async take(name: LimitName, key: string, factor = 1, count = 1): Promise<number | undefined> {
    const stored = storedKey(key)
    try {
      await this.#limiter(name, factor)?.consume(stored, count)
      return undefined
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1)
      this.#refusedUntil.set(`${name} ${stored}`, performance.now() + refusal.msBeforeNext)
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
    }
  }

  /**
   * Whether a key is over its limit, as far as this process knows. It counts nothing and queries
   * nothing.
   *
   * @returns the seconds until a retry; undefined when the database must be queried
   */
  refusedFor(name: LimitName, key: string): number | undefined {
    if (this.#refusedUntil.size === 0) return undefined
    const until = this.#refusedUntil.get(`${name} ${storedKey(key)}`) ?? 0
    const waitMs = until - performance.now()
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : undefined
  }

  /** How often an event happened within its span. It counts nothing. */
  async countOf(name: LimitName, key: string): Promise<number> {
    const counted = await this.#limiter(name)?.get(storedKey(key))
    return counted?.consumedPoints ?? 0
  }

  /** Refunds events that turned out not to count. */
  async giveBack(name: LimitName, key: string, count = 1): Promise<void> {
    await this.#limiter(name)?.reward(storedKey(key), count)
  }
}
