/** HTTP load by autocannon: 100 connections, each with one request under way. */
import autocannon from 'autocannon'

const CONNECTIONS = 100

export interface Load {
  /** Answers a second. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadOptions {
  readonly url: string
  readonly seconds: number
  /** Path and query of the next request; called once for each. */
  readonly nextPath: () => string
  readonly headers?: Readonly<Record<string, string>>
  /** What every body must begin with: a fast refusal must not pass for a fast answer. */
  readonly expected: string
}

/**
 * Sends requests for some seconds.
 *
 * @throws Error when any answer is not 200 or does not begin as expected
 */
export async function load(options: LoadOptions): Promise<Load> {
  let wrong = 0
  let example = ''
  const done = autocannon({
    url: options.url,
    connections: CONNECTIONS,
    duration: options.seconds,
    requests: [
      {
        method: 'GET',
        headers: { ...options.headers },
        setupRequest: (request) => ({ ...request, path: options.nextPath() }),
        onResponse(status, body) {
          if (status === 200 && body.startsWith(options.expected)) return
          wrong += 1
          example = `${status} ${body.slice(0, 80)}`
        },
      },
    ],
  })
  const result = await done
  if (wrong > 0 || result.errors > 0) {
    throw new Error(
      `${wrong} answers were not "${options.expected}" (such as ${example}), ${result.errors} failed`,
    )
  }
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}
