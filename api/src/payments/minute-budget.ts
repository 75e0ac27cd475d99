/** How often something may be done in a minute: forged events must not make the service call others without limit. */
const MINUTE_MS = 60_000

export class MinuteBudget {
  readonly #limit: number
  #minute = 0
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether it may be done once more. */
  take(now: Date): boolean {
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute !== this.#minute) [this.#minute, this.#used] = [minute, 0]
    this.#used += 1
    return this.#used <= this.#limit
  }
}
