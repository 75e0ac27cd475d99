/**
 * Targets that the operator named because they always answer (`MONITOR_REFERENCES`). While one of them fails, the network
 * of this worker is in doubt.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { OutgoingFailure } from '../integrations/outgoing-http/outgoing-failure.ts'
import type { OutgoingHttp } from '../integrations/outgoing-http/outgoing-http.ts'

/** An answer counts for this long. */
const KEPT_MS = 10_000
/** The references are not asked more often, however many checks need a new answer. */
const LEAST_MS = 1_000

export interface ReferenceOptions {
  readonly urls: readonly URL[]
  readonly outgoing: Pick<OutgoingHttp, 'operator'>
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
}

interface Answer {
  readonly askedMs: number
  readonly isGood: boolean
}

export class References {
  readonly #options: ReferenceOptions
  #last: Answer = { askedMs: -Infinity, isGood: true }
  /** When one of them last turned out to fail. */
  #failedMs = -Infinity
  #underWay: Promise<Answer> | undefined

  constructor(options: ReferenceOptions) {
    this.#options = options
  }

  /** Whether one of them failed when they were last asked. */
  get areFailing(): boolean {
    return !this.#last.isGood
  }

  /** Whether one of them has failed since this time. */
  haveFailedSince(ms: number): boolean {
    return this.#failedMs >= ms
  }

  /** Whether all of them answered when they were last asked, and that was after this time. */
  haveAnsweredSince(ms: number): boolean {
    return this.#options.urls.length > 0 && this.#last.isGood && this.#last.askedMs > ms
  }

  /**
   * Whether all references answer. They are asked at most every ten seconds, or every second if `notBefore` requires a
   * newer answer.
   *
   * @param notBefore the answer must not have been asked for before this time
   */
  async answer(notBefore = -Infinity): Promise<boolean> {
    const { urls, now } = this.#options
    if (urls.length === 0) return true
    const oldest = Math.max(notBefore, now() - KEPT_MS)
    while (this.#last.askedMs < oldest) {
      this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined))
      await this.#underWay
    }
    return this.#last.isGood
  }

  async #ask(): Promise<Answer> {
    const { urls, now } = this.#options
    await delay(Math.max(0, this.#last.askedMs + LEAST_MS - now()))
    const askedMs = now()
    const answers = await Promise.all(urls.map((url) => this.#answers(url)))
    this.#last = { askedMs, isGood: answers.every(Boolean) }
    if (!this.#last.isGood) this.#failedMs = now()
    return this.#last
  }

  /** Any response shows that the network works, except one that says that the server has failed. */
  async #answers(url: URL): Promise<boolean> {
    try {
      const { status } = await this.#options.outgoing.operator({ url, followsRedirects: false })
      return status < 500
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      return false
    }
  }
}
