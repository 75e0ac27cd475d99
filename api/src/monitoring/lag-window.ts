/** How late the checks of the last minute began. */

const WINDOW_MS = 60_000

interface Begun {
  readonly atMs: number
  readonly lagMs: number
}

export class LagWindow {
  #begun: Begun[] = []

  add(begun: Begun): void {
    this.#begun.push(begun)
  }

  /** The 99th percentile in milliseconds, and the number of checks. */
  summary(nowMs: number): { readonly lagMs: number; readonly checks: number } {
    const first = this.#begun.findIndex(({ atMs }) => atMs >= nowMs - WINDOW_MS)
    this.#begun = first === -1 ? [] : this.#begun.slice(first)
    const sorted = this.#begun.map(({ lagMs }) => lagMs).toSorted((a, b) => a - b)
    const checks = sorted.length
    return { lagMs: Math.round(sorted[Math.ceil(checks * 0.99) - 1] ?? 0), checks }
  }
}
