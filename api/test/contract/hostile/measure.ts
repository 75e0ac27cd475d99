/** Whether a run leaks: heap after garbage collection, and unhandled rejections. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Octets of the heap in use, after the event loop turns that still hold injected requests. */
export async function heapUsed(): Promise<number> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setTimeout(done, 1))
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Records rejections from now on. */
export class Rejections {
  readonly seen: string[] = []
  readonly #hear = (reason: unknown) => void this.seen.push(String(reason))

  constructor() {
    process.on('unhandledRejection', this.#hear)
    process.on('uncaughtException', this.#hear)
  }

  stop(): void {
    process.off('unhandledRejection', this.#hear)
    process.off('uncaughtException', this.#hear)
  }
}

/** Numbers from 0 to 1 from a seed (mulberry32), so that a run can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
