/** Whether this worker trusts its own network, by its checks of the last minute and by the references. */
import {
  DOUBT_WINDOW_MS,
  looksOffline,
  looksOnline,
  RECOVERY_MS,
  type SeenCheck,
} from '../rules/network-doubt.ts'
import type { References } from './references.ts'

export class NetworkTrust {
  readonly #references: Pick<References, 'haveAnsweredSince'>
  #seen: SeenCheck[] = []
  #blindSinceMs: number | undefined

  constructor(references: Pick<References, 'haveAnsweredSince'>) {
    this.#references = references
  }

  /** Whether failed checks count as unknown. */
  get isBlind(): boolean {
    return this.#blindSinceMs !== undefined
  }

  /** Adds a check. Checks arrive in the order of their times. */
  see(check: SeenCheck): void {
    this.#seen.push(check)
  }

  /** Forgets old checks and decides anew. @returns whether the worker has just become blind */
  decide(nowMs: number): boolean {
    const first = this.#seen.findIndex(({ atMs }) => atMs >= nowMs - DOUBT_WINDOW_MS)
    this.#seen = first === -1 ? [] : this.#seen.slice(first)
    if (this.#blindSinceMs === undefined) {
      if (!looksOffline(this.#seen, nowMs)) return false
      this.#blindSinceMs = nowMs
      return true
    }
    if (this.#isOnline(nowMs, this.#blindSinceMs) || this.#isRefuted(nowMs, this.#blindSinceMs)) {
      this.#blindSinceMs = undefined
      // The failures so far must not make it blind again.
      this.#seen = []
    }
    return false
  }

  /** Successes from before the outage do not count. */
  #isOnline(nowMs: number, sinceMs: number): boolean {
    return nowMs - sinceMs >= RECOVERY_MS && looksOnline(this.#seen, nowMs)
  }

  /** After a minute, references that answer show that many targets have really failed. */
  #isRefuted(nowMs: number, sinceMs: number): boolean {
    const isOver = nowMs - sinceMs >= DOUBT_WINDOW_MS
    return isOver && this.#references.haveAnsweredSince(sinceMs + DOUBT_WINDOW_MS)
  }
}
