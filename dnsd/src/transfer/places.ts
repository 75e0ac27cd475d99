/** How many transfers there may be. */
export interface TransferLimits {
  /** Under way at once. */
  readonly atOnce: number
  /** Of one client, under way at once. */
  readonly perClient: number
  /** That wait for a place; whoever comes then is refused. */
  readonly waiting: number
  /** From the first message to the last. */
  readonly lastMs: number
}

// A transfer keeps a version of its zone readable, and the room of what changed meanwhile taken.
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

/** Places for transfers; who finds none waits in a queue, one client's not behind all of another's. */
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

  /** @returns how to leave the place again; undefined when too many wait */
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
