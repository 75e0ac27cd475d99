/*
 * Follows the forward feed over one connection until the connection ends.
 *
 * A notification wakes the reader at once. Correctness does not depend on notifications: each second the present version
 * is compared with the held one, which also works without notifications (read replicas, poolers).
 */
import { WakeUp } from '../../process/wake-up.ts'
import type { ForwardTable } from '../forward-table.ts'
import { chainFrom, type RereadReason, rereadReason } from './chain.ts'
import { readChanges } from './change-reader.ts'
import { connectToFeed, type FeedConnection } from './connection.ts'
import type { OnSkipped } from './feed-rows.ts'
import { readWholeFeed } from './full-read.ts'

const CHANNEL = 'homing_forwards'
/** SQLSTATE of a command that a standby cannot run, such as LISTEN. */
const READ_ONLY_TRANSACTION = '25006'

export interface SessionEvents {
  /** Change sets were applied. */
  applied(sets: number): void
  /** The whole feed was read. */
  reread(reason: RereadReason, names: number, ms: number): void
  readonly skipped: OnSkipped
  /** The table has all published changes. */
  current(): void
}

export interface SessionOptions {
  readonly url: string
  readonly table: ForwardTable
  readonly events: SessionEvents
  readonly pollMs: number
}

export class ForwardSession {
  readonly #options: SessionOptions
  readonly #wakeUp = new WakeUp()
  #connection: FeedConnection | undefined
  #failure: Error | undefined
  #isStopped = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /**
   * Follows until the connection is lost or `stop` is called.
   *
   * @throws the error that ended it
   */
  async run(): Promise<void> {
    const { url, events, pollMs } = this.#options
    try {
      this.#connection = await connectToFeed(url)
      void this.#connection.lost.then((error) => {
        this.#failure ??= error
        this.#wakeUp.wake()
      })
      await this.#listen(this.#connection)
      while (!this.#isStopped) {
        if (this.#failure !== undefined) throw this.#failure
        await this.#catchUp(this.#connection)
        events.current()
        await this.#wakeUp.wait(pollMs)
      }
    } finally {
      this.stop()
    }
  }

  /** Ends `run` soon. A change set is applied completely or not at all. */
  stop(): void {
    this.#isStopped = true
    this.#connection?.drop()
    this.#wakeUp.wake()
  }

  async #listen({ client }: FeedConnection): Promise<void> {
    client.on('notification', () => this.#wakeUp.wake())
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      if ((error as { code?: string }).code !== READ_ONLY_TRANSACTION) throw error
    }
  }

  async #catchUp(connection: FeedConnection): Promise<void> {
    const { table, events } = this.#options
    while (!this.#isStopped) {
      const held = table.version
      if (held === undefined) {
        await this.#readWhole(connection, 'first-read')
        continue
      }
      const read = await readChanges(connection.client, held, events.skipped)
      const reason = rereadReason(held, read)
      if (reason !== undefined) {
        await this.#readWhole(connection, reason)
        continue
      }
      const sets = chainFrom(held, read.sets)
      for (const { version, changes } of sets) table.apply(version, changes)
      if (sets.length > 0) events.applied(sets.length)
      if (sets.length === 0 || table.version?.serial === read.present.serial) return
    }
  }

  async #readWhole({ client }: FeedConnection, reason: RereadReason): Promise<void> {
    const { table, events } = this.#options
    const beganMs = performance.now()
    const { version, names } = await readWholeFeed(client, events.skipped)
    table.replace(version, names)
    events.reread(reason, names.size, performance.now() - beganMs)
  }
}
