/**
 * How often something may happen, for many at once: so much in one go, and one more in each
 * span of time (the generic cell rate algorithm). What is kept of each is one instant, at
 * which its allowance is full again; an allowance that is full is nothing to keep. So a
 * count costs a look into a map, needs no timer, and the memory is bounded whoever calls.
 */

export interface AllowanceRule {
  /** As many at once. */
  readonly burst: number
  /** Time in which one more is allowed, in milliseconds. */
  readonly refillMs: number
}

/** What is left of an allowance. */
export interface AllowanceState {
  readonly isAllowed: boolean
  /** As many more at once. */
  readonly remaining: number
  /** Until the allowance is full again; rounded up. */
  readonly resetSeconds: number
  /** Until one more is allowed: 0 when one is. */
  readonly waitSeconds: number
}

/** Those that are counted at once; beyond them, whoever was counted longest ago begins anew. */
const KEYS_LIMIT = 50_000

const secondsOf = (ms: number) => Math.max(0, Math.ceil(ms / 1_000))

export class Allowances {
  readonly rule: AllowanceRule
  readonly #now: () => number
  readonly #keysLimit: number
  /** When an allowance is full again; whoever was counted last is last. */
  readonly #fullAt = new Map<string, number>()

  /** @param now a clock that never goes back, in milliseconds */
  constructor(
    rule: AllowanceRule,
    now: () => number = () => performance.now(),
    keysLimit = KEYS_LIMIT,
  ) {
    this.rule = rule
    this.#now = now
    this.#keysLimit = keysLimit
  }

  /** Counts one more. One that is refused costs nothing: whoever goes on asking waits no longer for it. */
  take(key: string): AllowanceState {
    const now = this.#now()
    const { refillMs } = this.rule
    const ahead = this.#ahead(key, now)
    if (!this.#isAllowed(ahead)) return this.#state(ahead, false)
    this.#keep(key, now + ahead + refillMs)
    return this.#state(ahead + refillMs, true)
  }

  /** Whether one more is allowed. It counts nothing: for what shows only afterwards whether it counts. */
  look(key: string): AllowanceState {
    const ahead = this.#ahead(key, this.#now())
    return this.#state(ahead, this.#isAllowed(ahead))
  }

  /**
   * Counts one that has happened, allowed or not: of many that were looked at together, each was allowed.
   *
   * @param debtLimitMs what is used beyond the allowance is paid back by waiting for so long at most
   */
  charge(key: string, debtLimitMs: number): void {
    const now = this.#now()
    const { burst, refillMs } = this.rule
    const ahead = Math.min(this.#ahead(key, now) + refillMs, burst * refillMs + debtLimitMs)
    this.#keep(key, now + ahead)
  }

  /** Takes one back that turned out not to count. */
  giveBack(key: string): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    const before = fullAt - this.rule.refillMs
    if (before > this.#now()) this.#keep(key, before)
    else this.#fullAt.delete(key)
  }

  /** How far ahead the instant lies at which an allowance is full again, in milliseconds. */
  #ahead(key: string, now: number): number {
    return Math.max(this.#fullAt.get(key) ?? 0, now) - now
  }

  #isAllowed(ahead: number): boolean {
    return ahead <= (this.rule.burst - 1) * this.rule.refillMs
  }

  #keep(key: string, fullAt: number): void {
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size <= this.#keysLimit) return
    const [oldest] = this.#fullAt.keys()
    if (oldest !== undefined) this.#fullAt.delete(oldest)
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
