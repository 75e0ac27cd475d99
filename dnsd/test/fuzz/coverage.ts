import { Session, type Profiler } from 'node:inspector'

/**
 * Which octets of the daemon's source were executed, according to V8's block coverage.
 *
 * Coverage makes everything several times slower, and reading it takes milliseconds. So it is for collecting seeds, not
 * for campaigns.
 */
export class Coverage {
  readonly #session = new Session()
  readonly #run = new Map<string, Uint8Array>()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** The number of octets executed for the first time since the last look; `keep` marks them as known. */
  newSince(work: () => void, keep: boolean): number {
    this.#take()
    work()
    let octets = 0
    for (const { url, functions } of this.#take()) {
      if (url.includes('/dnsd/src/')) octets += this.#mark(url, functions, keep)
    }
    return octets
  }

  close(): void {
    this.#session.disconnect()
  }

  // No other thread is involved, so the response is available when the call returns.
  #take(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = []
    this.#session.post('Profiler.takePreciseCoverage', (_error, taken) => {
      result = taken.result
    })
    return result
  }

  #mark(url: string, functions: readonly Profiler.FunctionCoverage[], keep: boolean): number {
    const ranges = functions.flatMap((one) => one.ranges)
    const end = ranges.reduce((most, { endOffset }) => Math.max(most, endOffset), 0)
    // Ranges are ordered from the outside in, and an inner range is more precise.
    const now = new Uint8Array(end)
    for (const { startOffset, endOffset, count } of ranges) {
      now.fill(count > 0 ? 1 : 0, startOffset, endOffset)
    }
    const known = this.#run.get(url) ?? new Uint8Array(0)
    const all = new Uint8Array(Math.max(end, known.length))
    all.set(known)
    let fresh = 0
    for (let at = 0; at < end; at++) {
      if (now[at] === 0 || all[at] === 1) continue
      all[at] = 1
      fresh++
    }
    if (keep) this.#run.set(url, all)
    return fresh
  }
}
