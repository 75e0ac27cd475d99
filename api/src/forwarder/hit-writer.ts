/** Stores counted hits in PostgreSQL once a minute, over a connection that is open only meanwhile. */
import { connectToFeed } from './feed/connection.ts'
import type { HitCounter } from './hit-counter.ts'

const EVERY_MS = 60_000
/** A stop waits this long for the last hits. */
const STOP_LIMIT_MS = 3_000

export interface HitWriterOptions {
  /** Called before each connection. @throws an error that says how to set the database */
  readonly url: () => string
  readonly counter: HitCounter
  /** Called when hits could not be stored; they stay in memory. */
  readonly onError: (error: Error) => void
  readonly everyMs?: number
}

export class HitWriter {
  readonly #options: HitWriterOptions
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: HitWriterOptions) {
    this.#options = options
  }

  start(): void {
    const { everyMs = EVERY_MS } = this.#options
    this.#timer = setInterval(() => void this.write(), everyMs).unref()
  }

  /** Stores what was counted until now, after a write in progress. Never fails: errors are reported. */
  async write(): Promise<void> {
    this.#writing = this.#writing.then(async () => this.#write())
    await this.#writing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const limit = Promise.withResolvers<void>()
    const timer = setTimeout(limit.resolve, STOP_LIMIT_MS)
    await Promise.race([this.write(), limit.promise])
    clearTimeout(timer)
  }

  async #write(): Promise<void> {
    const { url, counter, onError } = this.#options
    const batches = counter.batches()
    if (batches.length === 0) return
    try {
      const connection = await connectToFeed(url())
      try {
        for (const batch of batches) {
          const { id, forwardIds, days, hits } = batch
          await connection.client.query({
            text: 'select add_forward_hits($1::uuid, $2::bigint[], $3::date[], $4::bigint[])',
            values: [id, forwardIds, days, hits],
          })
          counter.stored(batch)
        }
      } finally {
        connection.drop()
      }
    } catch (error) {
      onError(error as Error)
    }
  }
}
