/** Whether the account can register a domain, and if not, why. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type DomainCheck = components['schemas']['DomainCheck']

/** A full name and its zone. */
export interface ZonedName {
  readonly fqdn: string
  readonly zone: string
}

async function check(query: ZonedName, signal: AbortSignal): Promise<DomainCheck> {
  return (await answerOf(api.GET('/api/domains/availability', { params: { query }, signal }))).data
}

/** While the user edits a name, they come back to the same text. */
const KEPT_MS = 30_000

/** Nothing is repeated: the registration decides, and checks are limited. */
export const domainCheckQuery = ({ fqdn, zone }: ZonedName) =>
  queryOptions({
    queryKey: ['domain-check', fqdn, zone],
    queryFn: ({ signal }) => check({ fqdn, zone }, signal),
    staleTime: KEPT_MS,
    retry: false,
  })

/** The first free names among some. @param limit how many */
export const freeNamesQuery = (names: readonly ZonedName[], limit: number) =>
  queryOptions({
    queryKey: ['free-names', limit, names],
    async queryFn({ signal }) {
      const checks = await Promise.all(names.map((name) => check(name, signal)))
      return names.filter((_, at) => checks[at]?.available === true).slice(0, limit)
    },
    staleTime: KEPT_MS,
    retry: false,
  })
