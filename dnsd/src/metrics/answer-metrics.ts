import {
  COOKIE_STANDINGS,
  DROP_REASONS,
  LATENCY_BOUNDS_SECONDS,
  limitedCounts,
  type RateLimitTable,
  type SharedCounters,
  type Transport,
} from '../server/index.ts'
import type { MetricSet } from './metric-set.ts'

const TRANSPORTS: readonly Transport[] = ['udp', 'tcp']

/** Queries and their outcomes, over all threads. */
export function showAnswers(
  metrics: MetricSet,
  counters: SharedCounters,
  limits: RateLimitTable,
): void {
  const labels = ['transport', 'type', 'rcode'] as const
  metrics.total('queries_total', 'Answered queries.', labels, (set) => {
    for (const { count, ...kind } of counters.answers()) set({ ...kind }, count)
  })
  metrics.total('hot_answers_total', 'Answered queries that used the hot path.', [], (set) => {
    set({}, counters.hot)
  })
  metrics.total('answer_octets_total', 'Bytes of responses.', ['transport'], (set) => {
    for (const transport of TRANSPORTS) set({ transport }, counters.octets(transport))
  })
  metrics.total('truncated_total', 'Responses with TC.', ['transport'], (set) => {
    for (const transport of TRANSPORTS) set({ transport }, counters.truncated(transport))
  })
  metrics.histogram(
    'answer_seconds',
    'Time from receipt to send over UDP, measured on a sample of the responses.',
    LATENCY_BOUNDS_SECONDS,
    () => counters.latency,
  )
  metrics.total('cookies_total', 'Answered queries with a DNS cookie.', ['standing'], (set) => {
    for (const standing of COOKIE_STANDINGS) set({ standing }, counters.cookies(standing))
  })
  showDrops(metrics, counters, limits)
}

function showDrops(metrics: MetricSet, counters: SharedCounters, limits: RateLimitTable): void {
  metrics.total('dropped_total', 'Packets without a response.', ['reason'], (set) => {
    for (const reason of DROP_REASONS) {
      const limited = reason === 'rate-limit' ? limitedCounts(limits).dropped : 0
      set({ reason }, counters.dropped(reason) + limited)
    }
  })
  const help = 'Responses above the rate limit, by outcome.'
  metrics.total('rate_limited_total', help, ['outcome'], (set) => {
    const { slipped, dropped } = limitedCounts(limits)
    set({ outcome: 'slipped' }, slipped)
    set({ outcome: 'dropped' }, dropped)
  })
}
