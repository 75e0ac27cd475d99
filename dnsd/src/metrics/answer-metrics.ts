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

/** Questions and what became of them, over all threads. */
export function showAnswers(
  metrics: MetricSet,
  counters: SharedCounters,
  limits: RateLimitTable,
): void {
  const labels = ['transport', 'type', 'rcode'] as const
  metrics.total('queries_total', 'Answered questions.', labels, (set) => {
    for (const { count, ...kind } of counters.answers()) set({ ...kind }, count)
  })
  metrics.total('hot_answers_total', 'Those of them on the hot path.', [], (set) => {
    set({}, counters.hot)
  })
  metrics.total('answer_octets_total', 'Octets of answers.', ['transport'], (set) => {
    for (const transport of TRANSPORTS) set({ transport }, counters.octets(transport))
  })
  metrics.total('truncated_total', 'Answers with TC.', ['transport'], (set) => {
    for (const transport of TRANSPORTS) set({ transport }, counters.truncated(transport))
  })
  metrics.histogram(
    'answer_seconds',
    'From receipt to send over UDP; one answer in some is timed and stands for all of them.',
    LATENCY_BOUNDS_SECONDS,
    () => counters.latency,
  )
  metrics.total('cookies_total', 'Answered questions with a cookie.', ['standing'], (set) => {
    for (const standing of COOKIE_STANDINGS) set({ standing }, counters.cookies(standing))
  })
  showDrops(metrics, counters, limits)
}

function showDrops(metrics: MetricSet, counters: SharedCounters, limits: RateLimitTable): void {
  metrics.total('dropped_total', 'Packets without an answer.', ['reason'], (set) => {
    for (const reason of DROP_REASONS) {
      const limited = reason === 'rate-limit' ? limitedCounts(limits).dropped : 0
      set({ reason }, counters.dropped(reason) + limited)
    }
  })
  const help = 'Answers over the rate, by what became of them.'
  metrics.total('rate_limited_total', help, ['outcome'], (set) => {
    const { slipped, dropped } = limitedCounts(limits)
    set({ outcome: 'slipped' }, slipped)
    set({ outcome: 'dropped' }, dropped)
  })
}
