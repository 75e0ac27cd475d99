/** The history of a domain: what changed, who changed it, and how it is undone. */
import type { components } from '@homing/openapi/client'
import { api } from './client.ts'
import type { Domain } from './domains.ts'
import { eventPagesQuery, readNewest } from './event-pages.ts'
import { answerOf } from './problem.ts'

export { UNDO_DAYS, UNDOABLE_KINDS } from '@homing/openapi/client'
export type DomainEvent = components['schemas']['DomainEvent']

const eventsOf =
  (id: string) =>
  async (query: { readonly filter?: string }, options: { readonly signal?: AbortSignal }) =>
    answerOf(api.GET('/api/domains/{id}/events', { params: { path: { id }, query }, ...options }))

/** The first page of the history: the newest events. @throws ApiProblem, NetworkFailure */
export const readNewestEvents = async (domainId: string): Promise<readonly DomainEvent[]> =>
  readNewest(eventsOf(domainId))

/** The newest event is first. */
export const eventsQuery = (domainId: string) =>
  eventPagesQuery(['domain-events', domainId], eventsOf(domainId))

/** Restores the values before an event. @returns the changed domain. @throws ApiProblem, NetworkFailure */
export async function undoEvent(id: string, eventId: string): Promise<Domain> {
  const params = { path: { id, event_id: eventId } }
  const call = api.POST('/api/domains/{id}/events/{event_id}/undo', { params })
  return (await answerOf(call)).data
}
