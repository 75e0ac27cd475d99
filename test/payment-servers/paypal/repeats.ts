/** Repeated calls: https://developer.paypal.com/api/rest/reference/idempotency/. */
import { createHash } from 'node:crypto'
import type { TestClock } from '../clock.ts'
import type { Answer, Call } from '../http-server.ts'
import { PayPalTrouble } from './trouble.ts'

/** How long the answer of a PayPal-Request-Id is kept. */
const KEPT_MS = 72 * 3_600_000

interface Kept {
  readonly fingerprint: string
  readonly answer: Answer
  readonly at: number
}

export class Repeats {
  readonly #kept = new Map<string, Kept>()
  readonly #clock: TestClock

  constructor(clock: TestClock) {
    this.#clock = clock
  }

  /** Performs a call, or repeats the answer to the same call. */
  once(call: Call, perform: () => Answer): Answer {
    const id = call.headers['paypal-request-id']
    if (call.method !== 'POST' || typeof id !== 'string') return perform()
    const fingerprint = createHash('sha256').update(call.body).digest('hex')
    const key = `${call.path} ${id}`
    const kept = this.#kept.get(key)
    if (kept !== undefined && this.#clock.now() - kept.at < KEPT_MS) {
      if (kept.fingerprint !== fingerprint)
        throw new PayPalTrouble(
          422,
          'UNPROCESSABLE_ENTITY',
          'DUPLICATE_REQUEST_ID',
          'The value of `PayPal-Request-Id` header has already been used with another request.',
        )
      return kept.answer
    }
    const answer = perform()
    this.#kept.set(key, { fingerprint, answer, at: this.#clock.now() })
    return answer
  }
}
