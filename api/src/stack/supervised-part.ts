/** A child of the supervisor that is restarted when it ends. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../process/log.ts'

export interface PartEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface RunningPart {
  /** Resolves when it has ended, whether it was asked to or not. */
  readonly ended: Promise<PartEnd>
  /** Asks it to stop, kills it after `limitMs`, and waits for its end. */
  stop(limitMs: number): Promise<void>
}

export interface PartOptions {
  readonly name: string
  readonly start: () => Promise<RunningPart>
  readonly log: Log
  /** Called for each unexpected end, with the number of consecutive ones. */
  readonly onUnexpectedEnd: (name: string, end: PartEnd, inARow: number) => void
}

/**
 * The first restart is almost immediate. The back-off prevents a part that keeps failing from
 * filling the log or the processor.
 */
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1_000
/** A part that ran for this long has started well; its next unexpected end counts as the first. */
const STEADY_MS = 20_000

/** The back-off before the restart after the n-th consecutive unexpected end, n from 1. */
export function backOffMs(inARow: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (inARow - 1), LONGEST_WAIT_MS)
}

export class SupervisedPart {
  readonly name: string
  readonly #options: PartOptions
  readonly #stopping = new AbortController()
  #running: RunningPart | undefined
  #kept: Promise<void> | undefined

  constructor(options: PartOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Starts it, and restarts it whenever it ends. @throws the error of the first `start` */
  async start(): Promise<void> {
    this.#running = await this.#options.start()
    this.#kept = this.#keepRunning(this.#running)
  }

  /** Stops it permanently. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort()
    await this.#running?.stop(limitMs)
    await this.#kept
  }

  async #keepRunning(first: RunningPart): Promise<void> {
    const { name, log, onUnexpectedEnd } = this.#options
    let running = first
    let inARow = 0
    for (;;) {
      const startedAt = performance.now()
      const end = await running.ended
      if (this.#stopping.signal.aborted) return
      inARow = performance.now() - startedAt > STEADY_MS ? 1 : inARow + 1
      log.warn({ ...end, inARow }, `${name} ended; restarting it`)
      onUnexpectedEnd(name, end, inARow)
      const next = await this.#startAgain(inARow)
      if (next === undefined) return
      running = next
    }
  }

  /** Undefined when the part was stopped meanwhile. */
  async #startAgain(inARow: number): Promise<RunningPart | undefined> {
    const { signal } = this.#stopping
    for (let attempt = inARow; ; attempt++) {
      await delay(backOffMs(attempt), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
      try {
        this.#running = await this.#options.start()
        if (!signal.aborted) return this.#running
        await this.#running.stop(0)
        return undefined
      } catch (error) {
        this.#options.log.warn({ err: error }, `${this.name} does not start; retrying`)
      }
    }
  }
}
