import { setImmediate as nextTurn } from 'node:timers/promises'

// Questions that arrive meanwhile wait at most about this long, for each of the works that go on at the same time.
const SLICE_MS = 2

/** Cuts long work into slices between which questions are answered. */
export class WorkSlice {
  #beganMs = performance.now()

  /** Gives way once the slice is used up: `if (slice.isOver) await slice.rest()`. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs > SLICE_MS
  }

  /** Resolves when what was waiting in the event loop has had its turn. */
  async rest(): Promise<void> {
    await nextTurn()
    this.#beganMs = performance.now()
  }
}
