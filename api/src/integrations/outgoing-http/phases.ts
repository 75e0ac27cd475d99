/** Measures how long each phase of an outgoing request takes. */

/** Name look-up, TCP connect, TLS handshake, request sent to response headers, response body. */
export type Phase = 'lookup' | 'connect' | 'tls' | 'firstByte' | 'body'

/** Milliseconds by phase. A phase that was not reached is absent; a failed phase counts until its failure. */
export type PhaseMs = Readonly<Partial<Record<Phase, number>>>

/** Times the phases of one hop. */
export class PhaseTimer {
  readonly #now: () => number
  readonly #phaseMs: Partial<Record<Phase, number>> = {}
  #phase: Phase = 'lookup'

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The phase that started last. */
  get phase(): Phase {
    return this.#phase
  }

  get phaseMs(): PhaseMs {
    return { ...this.#phaseMs }
  }

  async run<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    this.#phase = phase
    const begun = this.#now()
    try {
      return await work()
    } finally {
      this.#phaseMs[phase] = this.#now() - begun
    }
  }
}
