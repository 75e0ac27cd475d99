/** Everything that the screen of web forwards shows, which is loaded together. */
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { Domain } from '../../api/domains.ts'
import {
  forwardableQuery,
  forwardsQuery,
  forwardUsageQuery,
  type WebForward,
  type WebForwardUsage,
} from '../../api/web-forwards.ts'

export interface ForwardOverview {
  readonly forwards: readonly WebForward[]
  readonly usage: WebForwardUsage
  /** The domains that can have a forward, whether they have one or not. */
  readonly domains: readonly Domain[]
}

interface CombinedQuery<T> extends Pick<
  UseQueryResult<T>,
  'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'
> {
  readonly isFetching: boolean
  readonly refetch: () => void
}

type Results = [
  UseQueryResult<WebForward[]>,
  UseQueryResult<WebForwardUsage>,
  UseQueryResult<Domain[]>,
]

/** Three calls as one: the data once all have answered, the first error, and the time of the oldest. */
function combined(results: Results): CombinedQuery<ForwardOverview> {
  const [{ data: forwards }, { data: usage }, { data: domains }] = results
  const statuses = results.map(({ fetchStatus }) => fetchStatus)
  return {
    data: forwards && usage && domains && { forwards, usage, domains },
    error: results.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: Math.min(...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    fetchStatus: statuses.find((status) => status !== 'idle') ?? 'idle',
    isFetching: statuses.includes('fetching'),
    refetch: () => results.forEach((result) => void result.refetch()),
  }
}

/** The forwards, the usage of the plan and the domains, which are loaded together. */
export const useForwardOverview = (): CombinedQuery<ForwardOverview> =>
  useQueries({ queries: [forwardsQuery, forwardUsageQuery, forwardableQuery], combine: combined })
