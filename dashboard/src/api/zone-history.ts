/** The history of the records of an own zone, and how a change is undone. */
import type { components } from '@homing/openapi/client'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type ZoneEvent = components['schemas']['ZoneEvent']

interface EventPage {
  readonly events: readonly ZoneEvent[]
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
    api.GET('/api/zones/{id}/events', {
      params: { path: { id }, query },
      ...(signal !== undefined && { signal }),
    }),
  )
  // The total is unknown while older events follow.
  return { events: data, hasMore: response.headers.get('content-range')?.endsWith('/*') === true }
}

/** The first page of the history: the newest events. @throws ApiProblem, NetworkFailure */
export const readNewestZoneEvents = async (zoneId: string): Promise<readonly ZoneEvent[]> =>
  (await readEvents(zoneId, undefined)).events

/** The newest event is first. */
export const zoneEventsQuery = (zoneId: string) =>
  infiniteQueryOptions({
    queryKey: ['zone-events', zoneId],
    queryFn: ({ signal, pageParam }) => readEvents(zoneId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ events, hasMore }) => (hasMore ? events.at(-1)?.id : undefined),
  })

/** Restores the record before an event. @returns the event of the undo. @throws ApiProblem, NetworkFailure */
export async function undoZoneEvent(id: string, eventId: string): Promise<ZoneEvent> {
  const params = { path: { id, event_id: eventId } }
  return (await answerOf(api.POST('/api/zones/{id}/events/{event_id}/undo', { params }))).data
}
