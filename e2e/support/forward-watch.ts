/** Visitors of a web forward, who send requests continuously; counts what they get. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface VisitCounts {
  asked: number
  redirected: number
  /** Requests without a response. */
  broken: number
  /** Responses other than the redirect. */
  readonly wrong: string[]
  /** The longest time without the redirect. */
  longestGapMs: number
}

export interface ForwardWatch {
  readonly counts: VisitCounts
  end(): Promise<void>
}

export interface WatchedForward {
  readonly port: number
  readonly host: string
  readonly status: number
  readonly location: string
}

export const VISITORS = 4
/** One visitor sends about 25 requests per second, each on a connection of its own. */
const PAUSE_MS = 40
const ANSWER_LIMIT_MS = 5_000

/** Starts the visitors. */
export function watchForward({ port, host, status, location }: WatchedForward): ForwardWatch {
  const counts: VisitCounts = { asked: 0, redirected: 0, broken: 0, wrong: [], longestGapMs: 0 }
  const ending = new AbortController()
  let lastGoodMs = performance.now()

  async function visit(): Promise<void> {
    counts.asked += 1
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const sent = request({ port, host: '127.0.0.1', headers: { host }, agent: false, signal })
    sent.end()
    try {
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      if (answer.statusCode === status && answer.headers.location === location) {
        counts.redirected += 1
        const nowMs = performance.now()
        counts.longestGapMs = Math.max(counts.longestGapMs, nowMs - lastGoodMs)
        lastGoodMs = nowMs
      } else counts.wrong.push(`${answer.statusCode} ${answer.headers.location}`)
    } catch {
      counts.broken += 1
    }
  }
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await visit()
      await delay(PAUSE_MS)
    }
  }
  const running = Promise.all(Array.from({ length: VISITORS }, run))
  return {
    counts,
    async end() {
      ending.abort()
      await running
    },
  }
}
