/**
 * Webhook deliveries: at least once, repeated until the receiver answers 2xx, in any order that a test wants.
 *
 * Everything is bounded: so many connections at once, so many attempts for each event.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { seededRandom, shuffled } from './random.ts'

/** What is sent for an event. */
export interface Delivery {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Ways to forge a delivery. */
export const FORGERIES = ['unsigned', 'other-key', 'changed-body', 'stale'] as const
export type Forgery = (typeof FORGERIES)[number]

/** How a provider signs. */
export interface Signer<Event> {
  sign(event: Event): Delivery
  forge(event: Event, forgery: Forgery): Delivery
}

const MOST_ATTEMPTS = 60
const ANSWER_MS = 10_000
const MOST_BACKOFF_MS = 500

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

export class Deliveries<Event> {
  /** Where events go; null keeps them. */
  url: string | null
  /** Deliveries under way at the same time. */
  atOnce = 8
  /** Statuses of real deliveries; 0: no answer. */
  readonly answers: number[] = []
  readonly forgedAnswers: number[] = []
  /** Events that were given up. */
  readonly lost: Event[] = []
  readonly #signer: Signer<Event>
  readonly #agent = new Agent({ keepAlive: true })
  #random = seededRandom(1)
  #copies = 1
  #delayMs = 0
  #forgedPercent = 0
  #forgedCount = 0
  #shuffles = false
  #held: Event[] | undefined
  #queue: (() => Promise<void>)[] = []
  #working = 0
  #stopped = false

  constructor(signer: Signer<Event>, url: string | null) {
    this.#signer = signer
    this.url = url
  }

  /** Makes the choices of shuffle, delay and forge again as with this seed. */
  seed(seed: number): void {
    this.#random = seededRandom(seed)
  }

  /** Sends each event so many times. */
  duplicate(copies: number): void {
    this.#copies = copies
  }

  /** Waits up to so many milliseconds before each delivery. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Takes waiting deliveries in random order. */
  shuffle(on = true): void {
    this.#shuffles = on
  }

  /** Sends a forgery beside so many of a hundred events. */
  forge(percent: number): void {
    this.#forgedPercent = percent
  }

  /** Keeps events until `release`. */
  hold(): void {
    this.#held ??= []
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of this.#shuffles ? shuffled(held, this.#random) : held) this.send(event)
  }

  send(event: Event): void {
    if (this.#held !== undefined) {
      this.#held.push(event)
      return
    }
    if (this.url === null || this.#stopped) return
    for (let copy = 0; copy < this.#copies; copy += 1) this.#add(() => this.#deliver(event))
    if (this.#random() * 100 < this.#forgedPercent) {
      const forgery = FORGERIES[this.#forgedCount++ % FORGERIES.length] ?? 'unsigned'
      this.#add(() => this.#deliverForged(this.#signer.forge(event, forgery)))
    }
    this.#work()
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#working === 0
  }

  /** Resolves when nothing is under way. @throws if that takes longer than the limit. */
  async idle(limitMs = 60_000): Promise<void> {
    const end = Date.now() + limitMs
    while (!this.isIdle) {
      if (Date.now() > end)
        throw new Error(`Deliveries took longer than ${limitMs} ms: ${this.#queue.length} wait.`)
      await pause(5)
    }
  }

  stop(): void {
    this.#stopped = true
    this.#queue = []
    this.#agent.destroy()
  }

  #add(job: () => Promise<void>): void {
    this.#queue.push(job)
  }

  #take(): (() => Promise<void>) | undefined {
    if (!this.#shuffles) return this.#queue.shift()
    const chosen = Math.floor(this.#random() * this.#queue.length)
    const job = this.#queue[chosen]
    const last = this.#queue.pop()
    if (last !== undefined && chosen < this.#queue.length) this.#queue[chosen] = last
    return job
  }

  #work(): void {
    while (this.#working < this.atOnce) {
      const job = this.#take()
      if (job === undefined) return
      this.#working += 1
      void job().finally(() => {
        this.#working -= 1
        this.#work()
      })
    }
  }

  async #deliver(event: Event): Promise<void> {
    if (this.#delayMs > 0) await pause(this.#random() * this.#delayMs)
    for (let attempt = 0; attempt < MOST_ATTEMPTS && !this.#stopped; attempt += 1) {
      const status = await this.#post(this.#signer.sign(event))
      this.answers.push(status)
      if (status >= 200 && status < 300) return
      await pause(Math.min(20 * 2 ** attempt, MOST_BACKOFF_MS))
    }
    if (!this.#stopped) this.lost.push(event)
  }

  async #deliverForged(delivery: Delivery): Promise<void> {
    this.forgedAnswers.push(await this.#post(delivery))
  }

  async #post({ body, headers }: Delivery): Promise<number> {
    if (this.url === null) return 0
    const options = {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      signal: AbortSignal.timeout(ANSWER_MS),
    }
    try {
      const sent = request(this.url, options).end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode ?? 0
    } catch {
      return 0
    }
  }
}
