/** Load that is offered at a rate, whatever becomes of it: what was answered, and how late, by kind of answer. */
import autocannon from 'autocannon'
import type { Request } from './load.ts'
import { percentile } from './rounds.ts'

export interface Offered {
  /** Answers 200 a second. */
  readonly servedPerSecond: number
  /** Other answers a second. */
  readonly refusedPerSecond: number
  /** Requests without an answer. */
  readonly failed: number
  readonly servedP50Ms: number
  readonly servedP99Ms: number
}

export interface OfferedOptions {
  readonly url: string
  readonly seconds: number
  readonly connections: number
  /** Requests a second. */
  readonly rate: number
  readonly next: () => Request
  /** Status of an answer other than 200. */
  readonly refusal: number
}

/** Offers requests for some seconds. @throws Error when an answer is neither 200 nor the refusal */
export async function offer(options: OfferedOptions): Promise<Offered> {
  const served: number[] = []
  let refused = 0
  let other = 0
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const running = autocannon(
    {
      url: options.url,
      connections: options.connections,
      duration: options.seconds,
      overallRate: options.rate,
      requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, ...options.next() }) }],
    },
    (error: Error | null, result) => (error === null ? resolve(result) : reject(error)),
  )
  running.on('response', (_client, status, _bytes, tookMs) => {
    if (status === 200) served.push(tookMs)
    else if (status === options.refusal) refused += 1
    else other += 1
  })
  const { duration, errors } = await promise
  if (other > 0) throw new Error(`${other} answers were neither 200 nor ${options.refusal}`)
  return {
    servedPerSecond: served.length / duration,
    refusedPerSecond: refused / duration,
    failed: errors,
    servedP50Ms: percentile(served, 0.5),
    servedP99Ms: percentile(served, 0.99),
  }
}
