/** The history of the records of an own zone, and how a change is undone. */
import type { components } from '@homing/openapi/client'
import { api } from './client.ts'
import { eventPagesQuery, readNewest } from './event-pages.ts'
import { answerOf } from './problem.ts'

export type ZoneEvent = components['schemas']['ZoneEvent']

const eventsOf =
  (id: string) =>
  async (query: { readonly filter?: string }, options: { readonly signal?: AbortSignal }) =>
    answerOf(api.GET('/api/zones/{id}/events', { params: { path: { id }, query }, ...options }))

/** The first page of the history: the newest events. @throws ApiProblem, NetworkFailure */
export const readNewestZoneEvents = async (zoneId: string): Promise<readonly ZoneEvent[]> =>
  readNewest(eventsOf(zoneId))

/** The newest event is first. */
export const zoneEventsQuery = (zoneId: string) =>
  eventPagesQuery(['zone-events', zoneId], eventsOf(zoneId))

/** Restores the record before an event. @returns the event of the undo. @throws ApiProblem, NetworkFailure */
export async function undoZoneEvent(id: string, eventId: string): Promise<ZoneEvent> {
  const params = { path: { id, event_id: eventId } }
  return (await answerOf(api.POST('/api/zones/{id}/events/{event_id}/undo', { params }))).data
}
