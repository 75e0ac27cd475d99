/** Whether this process still keeps up: how late the turns of its event loop are, and how full its heap is. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

const LOOKED_EVERY_MS = 500
/** What the timer of the measurement takes by itself. */
const RESOLUTION_MS = 10
/** Only what lasts is a load: a start, or one long turn, is over when it is noticed. */
const LOOKS = 3
/** Beyond this share of the heap, collecting garbage takes all time. */
const HEAP_SHARE = 0.9

export class EventLoopLoad {
  readonly #limitMs: number
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #timer: NodeJS.Timeout | undefined
  #late = 0
  #full = 0

  /** @param limitMs how late turns may be on the average, in milliseconds */
  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Begins to look: when a start is over, whose turns are long and say nothing of what comes. */
  start(): void {
    this.#delays.enable()
    this.#timer = setInterval(() => this.#look(), LOOKED_EVERY_MS).unref()
  }

  /** Whether turns have been late, or the heap full, for more than a second. */
  get isTooMuch(): boolean {
    return this.#late >= LOOKS || this.#full >= LOOKS
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#delays.disable()
  }

  #look(): void {
    // Not a number: there was no turn at all.
    const delayMs = this.#delays.mean / 1e6 - RESOLUTION_MS
    this.#delays.reset()
    this.#late = delayMs <= this.#limitMs ? 0 : this.#late + 1
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    this.#full = used <= limit * HEAP_SHARE ? 0 : this.#full + 1
  }
}
