/** What the name servers answer for a domain. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Domain } from './domains.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export type Propagation = Schemas['Propagation']
export type NameServerCheck = Schemas['NameServerCheck']

/** Each check asks every name server, so a tab that is opened again shows the last one for a while. */
const FRESH_MS = 10_000
/** When to check again by itself while a server is not current: a change takes seconds, a fault takes longer. Then never. */
const REPEAT_AFTER_MS = [3_000, 5_000, 10_000, 20_000, 40_000] as const

/**
 * The key has what the domain publishes: when the live stream brings other addresses, the name servers are asked again, and
 * at most five times more while one has not followed. A hidden tab asks nothing.
 */
export const propagationQuery = ({ id, published_ipv4, published_ipv6, is_active }: Domain) =>
  queryOptions({
    queryKey: ['propagation', id, is_active, published_ipv4, published_ipv6],
    async queryFn({ signal }): Promise<Propagation> {
      const params = { path: { id } }
      const call = api.GET('/api/domains/{id}/propagation', { params, signal })
      return (await answerOf(call)).data
    },
    staleTime: FRESH_MS,
    refetchInterval({ state: { data, dataUpdateCount } }) {
      if (data === undefined || data.is_current || data.servers.length === 0) return false
      return REPEAT_AFTER_MS[dataUpdateCount - 1] ?? false
    },
  })
