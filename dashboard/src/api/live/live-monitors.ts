/** Keeps the states of monitors current by the live stream: in rows and on pages at once, everything else a moment later. */
import type { LiveEvents } from '@homing/openapi/client'
import type { QueryClient } from '@tanstack/react-query'
import { MONITORS_KEY, showMonitor } from '../monitors.ts'

/** When a network fails, many monitors change together. */
const GATHER_MS = 500
/** Shortest time between two reads because of events. */
const READ_EVERY_MS = 3_000

export class LiveMonitors {
  readonly #queries: QueryClient
  #read: ReturnType<typeof setTimeout> | undefined
  #readAt = -Infinity

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  stop(): void {
    clearTimeout(this.#read)
  }

  /** Shows the new state of a monitor, and reads what follows from it soon: percentages, incidents, mails. */
  take(event: LiveEvents['monitor']): void {
    showMonitor(this.#queries, event)
    this.#read ??= setTimeout(
      () => {
        this.#read = undefined
        this.#readAt = performance.now()
        void this.#queries.invalidateQueries({ queryKey: [MONITORS_KEY] })
      },
      Math.max(GATHER_MS, this.#readAt + READ_EVERY_MS - performance.now()),
    )
  }
}
