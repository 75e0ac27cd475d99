import { Session, type Profiler } from 'node:inspector'

/**
 * Which octets of the daemon's source have been run, by V8's own counting of blocks.
 *
 * Counting makes everything several times as slow, and reading it takes milliseconds; so this is for
 * finding seeds, not for campaigns.
 */
export class Coverage {
  readonly #session = new Session()
  readonly #run = new Map<string, Uint8Array>()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** How much has been run since the last look that was never before; `keep` makes it known. */
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

  // Without a thread between, the answer is there when the call returns.
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
    // Ranges come from the outside in, and an inner one says more exactly what was run.
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
