/** The limits for transfers. */
export interface TransferLimits {
  /** Concurrent transfers. */
  readonly atOnce: number
  /** Concurrent transfers per client. */
  readonly perClient: number
  /** Transfers that may wait; above it, requests are refused. */
  readonly waiting: number
  /** The maximum duration from the first message to the last. */
  readonly lastMs: number
}

// A transfer keeps a version of its zone readable, which prevents the reuse of memory for what changed
// meanwhile.
export const DEFAULT_TRANSFER_LIMITS: TransferLimits = {
  atOnce: 8,
  perClient: 4,
  waiting: 1_000,
  lastMs: 15 * 60_000,
}

interface Waiting {
  readonly client: string
  readonly enter: () => void
}

/** Places for transfers. When all are taken, requests wait in a queue that is fair between clients. */
export class TransferPlaces {
  readonly #limits: TransferLimits
  readonly #byClient = new Map<string, number>()
  #taken = 0
  #queue: Waiting[] = []

  constructor(limits: TransferLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** @returns a function that releases the place; undefined when too many transfers wait */
  async take(client: string): Promise<(() => void) | undefined> {
    if (!this.#isFree(client)) {
      if (this.#queue.length >= this.#limits.waiting) return undefined
      await new Promise<void>((enter) => this.#queue.push({ client, enter }))
    } else {
      this.#enter(client)
    }
    return () => this.#leave(client)
  }

  #isFree(client: string): boolean {
    const { atOnce, perClient } = this.#limits
    return this.#taken < atOnce && (this.#byClient.get(client) ?? 0) < perClient
  }

  #enter(client: string): void {
    this.#taken += 1
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1)
  }

  #leave(client: string): void {
    this.#taken -= 1
    const left = (this.#byClient.get(client) ?? 1) - 1
    if (left === 0) this.#byClient.delete(client)
    else this.#byClient.set(client, left)
    const next = this.#queue.findIndex((one) => this.#isFree(one.client))
    const [waiting] = next === -1 ? [] : this.#queue.splice(next, 1)
    if (waiting === undefined) return
    this.#enter(waiting.client)
    waiting.enter()
  }
}
