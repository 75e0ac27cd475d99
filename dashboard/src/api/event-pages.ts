/** The pages of a history, whatever it is about. The newest event is first. */
import { infiniteQueryOptions } from '@tanstack/react-query'

interface Event {
  readonly id: string
}

interface EventPage<E extends Event> {
  readonly events: readonly E[]
  /** Whether older events follow. */
  readonly hasMore: boolean
}

/** Calls the service. The filter is `{"before": ID}`: only events that are older than this one. */
type CallForEvents<E extends Event> = (
  query: { readonly filter?: string },
  options: { readonly signal?: AbortSignal },
) => Promise<{ readonly data: readonly E[]; readonly response: Response }>

/** @param before the id of an event; only older events are read */
async function readEvents<E extends Event>(
  call: CallForEvents<E>,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<EventPage<E>> {
  const query = before === undefined ? {} : { filter: JSON.stringify({ before }) }
  const { data, response } = await call(query, signal === undefined ? {} : { signal })
  // The total is unknown while older events follow.
  return { events: data, hasMore: response.headers.get('content-range')?.endsWith('/*') === true }
}

/** The first page of a history. @throws ApiProblem, NetworkFailure */
export const readNewest = async <E extends Event>(call: CallForEvents<E>): Promise<readonly E[]> =>
  (await readEvents(call, undefined)).events

/** All pages of a history, as far as they are asked for. */
export const eventPagesQuery = <E extends Event>(
  queryKey: readonly [string, string],
  call: CallForEvents<E>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => readEvents(call, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ events, hasMore }) => (hasMore ? events.at(-1)?.id : undefined),
  })
