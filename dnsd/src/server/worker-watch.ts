import type { Control } from '../table/index.ts'

// A worker that this many consecutive looks, a second apart, find in the same epoch does not recover.
const LOOKS_UNTIL_HUNG = 6
const IDLE = 0

interface Seen {
  readonly entered: number
  readonly looks: number
}

/**
 * Detects hung workers. A hung worker stays in the table for the same packet or batch, and so blocks the reuse of
 * table memory without limit.
 *
 * Workers send no messages for this check, because that would be one per packet. The word of a worker shows the
 * epoch in which it entered. The epoch increases at each look, so a worker that left and entered again shows
 * another one. The check counts looks and not seconds, because no looks happen while the whole process is
 * suspended.
 */
export class WorkerWatch {
  readonly #control: Pick<Control, 'enteredAt' | 'raiseEpoch'>
  readonly #seen = new Map<number, Seen>()

  constructor(control: Pick<Control, 'enteredAt' | 'raiseEpoch'>) {
    this.#control = control
  }

  /** Checks the workers, once a second, on the thread that writes the table. @returns the hung ones */
  look(workers: Iterable<number>): number[] {
    const hung: number[] = []
    for (const worker of workers) {
      const entered = this.#control.enteredAt(worker)
      const before = this.#seen.get(worker)
      const looks = entered !== IDLE && before?.entered === entered ? before.looks + 1 : 1
      if (looks === LOOKS_UNTIL_HUNG) hung.push(worker)
      this.#seen.set(worker, { entered, looks })
    }
    this.#control.raiseEpoch()
    return hung
  }
}
