import type { Control } from '../table/index.ts'

// One that is seen in the same look so often, a second apart, does not come out of it again.
const LOOKS_UNTIL_HUNG = 6
const IDLE = 0

interface Seen {
  readonly entered: number
  readonly looks: number
}

/**
 * Sees which worker hangs: it is in the table for the same packet or batch all the time, and holds back whatever is
 * taken out of the table meanwhile, without bound.
 *
 * A worker tells nothing for that, as it would have to for each packet: its word says in which epoch it entered.
 * The epoch is raised at each look, so whoever came out and entered again shows another one. Looks are
 * counted, not seconds: while the whole process was stopped, there were none.
 */
export class WorkerWatch {
  readonly #control: Pick<Control, 'enteredAt' | 'raiseEpoch'>
  readonly #seen = new Map<number, Seen>()

  constructor(control: Pick<Control, 'enteredAt' | 'raiseEpoch'>) {
    this.#control = control
  }

  /** Looks at workers, once a second. On the thread that writes the table. @returns those that hang */
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
