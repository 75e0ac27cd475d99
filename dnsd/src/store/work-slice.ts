import { setImmediate as nextTurn } from 'node:timers/promises'

// About the longest delay of questions that arrive meanwhile, for each background task that is running.
const SLICE_MS = 2

/** Splits long work into slices. Questions are answered between them. */
export class WorkSlice {
  #beganMs = performance.now()

  /** Whether the slice is used up: `if (slice.isOver) await slice.rest()`. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs > SLICE_MS
  }

  /** Resolves after the waiting events have been handled. */
  async rest(): Promise<void> {
    await nextTurn()
    this.#beganMs = performance.now()
  }
}
