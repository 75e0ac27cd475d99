/** Limits how many tasks run at once in this process, and how many wait. */
export class Turns {
  readonly #atOnce: number
  readonly #waitLimit: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = limits.atOnce
    this.#waitLimit = limits.waiting
  }

  /**
   * Runs a task when it is its turn, in the order of the calls.
   *
   * @param busy creates the error to throw when too many tasks wait
   * @throws the error of `busy`, the reason of `signal` while the task waits, errors of the task
   */
  async run<T>(task: () => Promise<T>, busy: () => Error, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitLimit) throw busy()
      // The task that ends passes its place on, so nobody can come between.
      await this.#place(signal)
    } else {
      this.#running += 1
    }
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #place(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(signal?.reason)
    }
    this.#waiting.push(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}
