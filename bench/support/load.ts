/** HTTP load by autocannon: 100 connections, each with one request in flight. */
import autocannon from 'autocannon'

const CONNECTIONS = 100

export interface Load {
  readonly answers: number
  /** Responses per second. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Request {
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadOptions {
  readonly url: string
  readonly seconds: number
  /** Returns the next request; called once for each request. */
  readonly next: () => Request
  /** The pattern that every response must match, such as `200 good …`: a fast refusal must not count as a fast success. */
  readonly expected: RegExp
}

/**
 * Sends requests for some seconds.
 *
 * @throws Error when a response is not as expected
 */
export async function load(options: LoadOptions): Promise<Load> {
  const { expected } = options
  let wrong = 0
  let example = ''
  const done = autocannon({
    url: options.url,
    connections: CONNECTIONS,
    duration: options.seconds,
    requests: [
      {
        method: 'GET',
        setupRequest: (request) => ({ ...request, ...options.next() }),
        onResponse(status, body) {
          if (expected.test(`${status} ${body}`)) return
          wrong += 1
          example = `${status} ${body.slice(0, 80)}`
        },
      },
    ],
  })
  const result = await done
  if (wrong > 0 || result.errors > 0) {
    throw new Error(
      `${wrong} answers were not ${expected} (such as ${example}), ${result.errors} failed`,
    )
  }
  return {
    answers: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}
