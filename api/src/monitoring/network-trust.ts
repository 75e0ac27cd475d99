/** Whether this worker trusts its own network, by its checks of the last minute and by the references. */
import type { Log } from '../process/log.ts'
import {
  DOUBT_WINDOW_MS,
  hasSuccesses,
  LONG_BLIND_MS,
  looksOffline,
  looksOnline,
  RECOVERY_MS,
  type SeenCheck,
} from '../rules/network-doubt.ts'
import type { References } from './references.ts'

export class NetworkTrust {
  readonly #references: Pick<References, 'haveAnsweredSince'>
  readonly #log: Pick<Log, 'warn'>
  #seen: SeenCheck[] = []
  /** Monitors that were up when the worker became blind, as far as it has checked them. */
  readonly #wereUp = new Set<string>()
  #blindSinceMs: number | undefined
  /** The end of the last time in which it was blind. */
  #trustedSinceMs = Number.NEGATIVE_INFINITY

  constructor(references: Pick<References, 'haveAnsweredSince'>, log: Pick<Log, 'warn'>) {
    this.#references = references
    this.#log = log
  }

  /** Whether the worker distrusts its network now. */
  get isBlind(): boolean {
    return this.#blindSinceMs !== undefined
  }

  /**
   * Whether a failed check counts as unknown: the worker is blind, or was it when the check began. A check that loses its
   * packets fails only at its time limit, when the network can have returned.
   */
  doubts(begunMs: number): boolean {
    return this.isBlind || begunMs < this.#trustedSinceMs
  }

  /** Adds a check. Checks arrive in the order of their times. */
  see(check: SeenCheck): void {
    this.#seen.push(check)
    if (this.isBlind && check.wasUp) this.#wereUp.add(check.monitorId)
  }

  /** Forgets old checks and decides anew. @returns whether the worker has just become blind */
  decide(nowMs: number): boolean {
    const first = this.#seen.findIndex(({ atMs }) => atMs >= nowMs - DOUBT_WINDOW_MS)
    this.#seen = first === -1 ? [] : this.#seen.slice(first)
    if (this.#blindSinceMs === undefined) {
      if (!looksOffline(this.#seen, nowMs)) return false
      this.#blindSinceMs = nowMs
      for (const { monitorId, wasUp } of this.#seen) if (wasUp) this.#wereUp.add(monitorId)
      this.#log.warn('many monitors fail at once: failed checks count as unknown')
      return true
    }
    const sinceMs = this.#blindSinceMs
    if (this.#isOnline(nowMs, sinceMs) || this.#isRefuted(nowMs, sinceMs)) {
      const seconds = Math.round((nowMs - sinceMs) / 1_000)
      this.#log.warn({ seconds }, 'failed checks count again')
      this.#blindSinceMs = undefined
      this.#trustedSinceMs = nowMs
      this.#wereUp.clear()
      // The failures so far must not make it blind again.
      this.#seen = []
    }
    return false
  }

  /** Successes from before the outage do not count. */
  #isOnline(nowMs: number, sinceMs: number): boolean {
    const blindMs = nowMs - sinceMs
    if (blindMs >= LONG_BLIND_MS && hasSuccesses(this.#seen)) return true
    return blindMs >= RECOVERY_MS && looksOnline(this.#seen, nowMs, this.#wereUp)
  }

  /** After a minute, references that answer show that many targets have really failed. */
  #isRefuted(nowMs: number, sinceMs: number): boolean {
    const isOver = nowMs - sinceMs >= DOUBT_WINDOW_MS
    return isOver && this.#references.haveAnsweredSince(sinceMs + DOUBT_WINDOW_MS)
  }
}
