/** Writes a snapshot after changes: soon after a single one, and seldom enough that writing is never the main work. */
import type { ForwardTable } from './forward-table.ts'
import type { SnapshotFile } from './snapshot-file.ts'
import type { Moment } from './snapshot.ts'

/** Changes that are this old may be lost by a crash; the feed then returns them. */
const SHORTEST_WAIT_MS = 2_000
/** At most this share of the time is spent on writing: 1 of 20. */
const WAIT_PER_WRITE = 20

export interface SnapshotEvents {
  failed(error: Error): void
}

export interface SnapshotKeeperOptions {
  readonly table: ForwardTable
  readonly file: Pick<SnapshotFile, 'write'>
  readonly events: SnapshotEvents
  readonly shortestWaitMs?: number
}

export const thisMoment = (): Moment => ({
  monotonicMs: performance.now(),
  wallMs: Date.now(),
})

export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  #waitMs: number
  #timer: NodeJS.Timeout | undefined
  #isChanged = false
  #writing: Promise<void> = Promise.resolve()
  #writtenAtMs: number | undefined

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
    this.#waitMs = options.shortestWaitMs ?? SHORTEST_WAIT_MS
  }

  /** When the newest snapshot was written, in milliseconds since 1970; undefined when there is no snapshot. */
  get writtenAtMs(): number | undefined {
    return this.#writtenAtMs
  }

  /** Whether the table has changes that are not in the snapshot. */
  get isBehind(): boolean {
    return this.#isChanged
  }

  /** The table has the contents of a snapshot that was written at this time. */
  restored(writtenAtMs: number): void {
    this.#writtenAtMs = writtenAtMs
  }

  /** The table has changed: a snapshot follows. */
  changed(): void {
    this.#isChanged = true
    this.#timer ??= setTimeout(() => {
      this.#writing = this.#write()
    }, this.#waitMs).unref()
  }

  /** Writes what is not written yet. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#isChanged) await this.#write()
    clearTimeout(this.#timer)
  }

  async #write(): Promise<void> {
    const { table, file, events, shortestWaitMs = SHORTEST_WAIT_MS } = this.#options
    const capture = table.capture()
    const moment = thisMoment()
    this.#isChanged = false
    try {
      if (capture !== undefined) await file.write(capture, moment)
      this.#writtenAtMs = moment.wallMs
    } catch (error) {
      this.#isChanged = true
      events.failed(error as Error)
    }
    const tookMs = performance.now() - moment.monotonicMs
    this.#waitMs = Math.max(shortestWaitMs, tookMs * WAIT_PER_WRITE)
    this.#timer = undefined
    if (this.#isChanged) this.changed()
  }
}
