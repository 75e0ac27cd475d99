/**
 * The clock of a payment server. Time passes as on the wall, and a test moves it forward.
 *
 * What a provider does by itself (renewals, retries, expiry) is a task with a due time. `advance` runs the tasks in
 * the order of their times, and each of them sees its own time as the present.
 */

interface Task {
  readonly at: number
  readonly run: () => void
}

/** A provider that renews itself for ever would hang the test. */
const MOST_TASKS = 200_000

export class TestClock {
  readonly #base: () => number
  #offset = 0
  #present: number | undefined
  /** The last is due first; of those at the same time, the one that was planned first. */
  readonly #tasks: Task[] = []

  /** @param base milliseconds since 1970; a constant makes the time stand still until `advance`. */
  constructor(base: () => number = Date.now) {
    this.#base = base
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#present ?? this.#base() + this.#offset
  }

  /** Seconds since 1970, as Stripe writes times. */
  seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  date(): Date {
    return new Date(this.now())
  }

  /** Runs something when `advance` passes a time, in milliseconds since 1970. */
  at(time: number, run: () => void): void {
    this.#tasks.splice(this.#placeOf(time), 0, { at: time, run })
  }

  /** Moves the time forward and does everything that is due on the way. */
  advance(ms: number): void {
    const end = this.now() + ms
    for (let done = 0; ; done += 1) {
      if (done > MOST_TASKS) throw new Error(`More than ${MOST_TASKS} tasks were due in ${ms} ms.`)
      const task = this.#takeDue(end)
      if (task === undefined) break
      this.#present = Math.max(task.at, this.#present ?? 0)
      task.run()
    }
    this.#present = undefined
    this.#offset += end - this.now()
  }

  #takeDue(end: number): Task | undefined {
    const first = this.#tasks.at(-1)
    if (first === undefined || first.at > end) return undefined
    return this.#tasks.pop()
  }

  /** Where a task belongs among those that are due later. */
  #placeOf(time: number): number {
    let [low, high] = [0, this.#tasks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#tasks[middle]?.at ?? 0) > time) low = middle + 1
      else high = middle
    }
    return low
  }
}
