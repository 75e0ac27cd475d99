/** The history of a domain: what changed, who changed it, and how it is undone. */
import type { components } from '@homing/openapi/client'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Domain } from './domains.ts'
import { answerOf } from './problem.ts'

export { UNDO_DAYS, UNDOABLE_KINDS } from '@homing/openapi/client'
export type DomainEvent = components['schemas']['DomainEvent']

interface EventPage {
  readonly events: readonly DomainEvent[]
  /** Whether older events follow. */
  readonly hasMore: boolean
}

/** @param before the id of an event; only older events are read */
async function readEvents(
  id: string,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<EventPage> {
  const query = before === undefined ? {} : { filter: JSON.stringify({ before }) }
  const { data, response } = await answerOf(
    api.GET('/api/domains/{id}/events', {
      params: { path: { id }, query },
      ...(signal !== undefined && { signal }),
    }),
  )
  // The total is unknown while older events follow.
  return { events: data, hasMore: response.headers.get('content-range')?.endsWith('/*') === true }
}

/** The first page of the history: the newest events. @throws ApiProblem, NetworkFailure */
export const readNewestEvents = async (domainId: string): Promise<readonly DomainEvent[]> =>
  (await readEvents(domainId, undefined)).events

/** The newest event is first. */
export const eventsQuery = (domainId: string) =>
  infiniteQueryOptions({
    queryKey: ['domain-events', domainId],
    queryFn: ({ signal, pageParam }) => readEvents(domainId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ events, hasMore }) => (hasMore ? events.at(-1)?.id : undefined),
  })

/** Restores the values before an event. @returns the changed domain. @throws ApiProblem, NetworkFailure */
export async function undoEvent(id: string, eventId: string): Promise<Domain> {
  const params = { path: { id, event_id: eventId } }
  const call = api.POST('/api/domains/{id}/events/{event_id}/undo', { params })
  return (await answerOf(call)).data
}
