/**
 * Rate limits for many keys: a burst at once, then one more in each refill interval (the generic
 * cell rate algorithm). Each key stores one instant, at which its allowance is full again; a full
 * allowance stores nothing. So counting costs one map look-up, needs no timer, and the number of
 * stored keys is bounded.
 */
import { BoundedMap } from './bounded-map.ts'

export interface AllowanceRule {
  /** How many may happen at once. */
  readonly burst: number
  /** Milliseconds until one more is allowed. */
  readonly refillMs: number
}

/** The state of an allowance. */
export interface AllowanceState {
  readonly isAllowed: boolean
  /** How many more may happen now. */
  readonly remaining: number
  /** Seconds until the allowance is full again, rounded up. */
  readonly resetSeconds: number
  /** Seconds until one more is allowed; 0 when one is allowed now. */
  readonly waitSeconds: number
}

/**
 * Maximum number of keys. When it is exceeded, the key that was counted longest ago is forgotten.
 */
const KEYS_LIMIT = 50_000

const secondsOf = (ms: number) => Math.max(0, Math.ceil(ms / 1_000))

export class Allowances {
  readonly rule: AllowanceRule
  readonly #now: () => number
  /** When each allowance is full again; the most recently counted key is last. */
  readonly #fullAt: BoundedMap<string, number>

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    rule: AllowanceRule,
    now: () => number = () => performance.now(),
    keysLimit = KEYS_LIMIT,
  ) {
    this.rule = rule
    this.#now = now
    this.#fullAt = new BoundedMap(keysLimit)
  }

  /** Counts one more. A refused request is not counted, so repeating it does not extend the wait. */
  take(key: string): AllowanceState {
    const now = this.#now()
    const { refillMs } = this.rule
    const ahead = this.#ahead(key, now)
    if (!this.#isAllowed(ahead)) return this.#state(ahead, false)
    this.#fullAt.set(key, now + ahead + refillMs)
    return this.#state(ahead + refillMs, true)
  }

  /** Whether one more is allowed, without counting it: for events that turn out only later to count. */
  look(key: string): AllowanceState {
    const ahead = this.#ahead(key, this.#now())
    return this.#state(ahead, this.#isAllowed(ahead))
  }

  /**
   * Counts an event that has happened, allowed or not: several concurrent events can each have passed
   * `look`.
   *
   * @param debtLimitMs maximum wait for what was used beyond the allowance
   */
  charge(key: string, debtLimitMs: number): void {
    const now = this.#now()
    const { burst, refillMs } = this.rule
    const ahead = Math.min(this.#ahead(key, now) + refillMs, burst * refillMs + debtLimitMs)
    this.#fullAt.set(key, now + ahead)
  }

  /** Refunds an event that turned out not to count. */
  giveBack(key: string): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    const before = fullAt - this.rule.refillMs
    if (before > this.#now()) this.#fullAt.set(key, before)
    else this.#fullAt.delete(key)
  }

  /** Milliseconds until an allowance is full again. */
  #ahead(key: string, now: number): number {
    return Math.max(this.#fullAt.get(key) ?? 0, now) - now
  }

  #isAllowed(ahead: number): boolean {
    return ahead <= (this.rule.burst - 1) * this.rule.refillMs
  }

  #state(ahead: number, isAllowed: boolean): AllowanceState {
    const { burst, refillMs } = this.rule
    return {
      isAllowed,
      remaining: isAllowed ? Math.max(0, Math.floor(burst - ahead / refillMs)) : 0,
      resetSeconds: secondsOf(ahead),
      waitSeconds: isAllowed ? 0 : Math.max(1, secondsOf(ahead - (burst - 1) * refillMs)),
    }
  }
}
