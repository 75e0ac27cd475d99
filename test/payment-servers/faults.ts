/** Faults of a payment server, each for a number of the next calls of its API. */

export type FaultKind =
  | 'slow'
  | 'fail5xx'
  | 'badGateway'
  | 'rateLimit'
  | 'actThenTimeOut'
  | 'actThenDrop'

interface Fault {
  readonly kind: FaultKind
  readonly ms: number
  readonly where: RegExp
  left: number
}

const EVERYWHERE = /^/

export class Faults {
  /** While true, every connection is closed without an answer. */
  down = false
  #faults: Fault[] = []

  /** The next calls are answered after a delay. */
  slow(ms: number, times = Infinity, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'slow', ms, left: times, where })
  }

  /** The next calls fail before anything is done. */
  fail5xx(times = 1, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'fail5xx', ms: 0, left: times, where })
  }

  /** Something on the way answers the next calls with an error that is not the provider's. */
  badGateway(times = 1, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'badGateway', ms: 0, left: times, where })
  }

  rateLimit(times = 1, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'rateLimit', ms: 0, left: times, where })
  }

  /** The next calls are carried out, but the client waits for the answer until it gives up. */
  actThenTimeOut(times = 1, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'actThenTimeOut', ms: 0, left: times, where })
  }

  /** The next calls are carried out, then the connection closes without an answer. */
  actThenDrop(times = 1, where = EVERYWHERE): void {
    this.#faults.push({ kind: 'actThenDrop', ms: 0, left: times, where })
  }

  clear(): void {
    this.#faults = []
    this.down = false
  }

  /** The fault of a call such as `POST /v1/refunds`. It is used up. */
  take(call: string): { readonly kind: FaultKind; readonly ms: number } | undefined {
    const fault = this.#faults.find(({ left, where }) => left > 0 && where.test(call))
    if (fault !== undefined) fault.left -= 1
    return fault
  }
}
