/** Detects overload of this process: delays of the event loop, and a full heap. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

const LOOKED_EVERY_MS = 500
/** Delay caused by the measurement's own timer. */
const RESOLUTION_MS = 10
/** Only sustained load counts: a start, or one long turn, is over by the time it is noticed. */
const LOOKS = 3
/** Above this share of the heap, garbage collection takes all the time. */
const HEAP_SHARE = 0.9

export class EventLoopLoad {
  readonly #limitMs: number
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #timer: NodeJS.Timeout | undefined
  #late = 0
  #full = 0

  /** @param limitMs maximum average delay of the event loop, in milliseconds */
  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /**
   * Starts the measurement. Call it after startup, whose long turns do not predict the later load.
   */
  start(): void {
    this.#delays.enable()
    this.#timer = setInterval(() => this.#look(), LOOKED_EVERY_MS).unref()
  }

  /** Whether the event loop has been delayed, or the heap full, for more than a second. */
  get isTooMuch(): boolean {
    return this.#late >= LOOKS || this.#full >= LOOKS
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#delays.disable()
  }

  #look(): void {
    // NaN: there was no turn at all.
    const delayMs = this.#delays.mean / 1e6 - RESOLUTION_MS
    this.#delays.reset()
    this.#late = delayMs <= this.#limitMs ? 0 : this.#late + 1
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    this.#full = used <= limit * HEAP_SHARE ? 0 : this.#full + 1
  }
}
