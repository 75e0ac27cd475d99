/**
 * Pages of a history, newest first.
 *
 * A page is found by the id of the last event that the caller has (`before`), by an index. So its cost does not depend on
 * the length of the history, and the events are never counted.
 */
import { oneOf, type ListForm } from '../models/list.ts'
import { invalid } from '../rules/errors.ts'
import { type ListQuery, parseListQuery } from './list-query.ts'

const LIST = {
  sort: { id: 'id' },
  filter: { before: oneOf('id') },
  keys: ['id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

/** Greater than the id of every event. */
const AFTER_ALL = '9223372036854775807'

export interface EventPage<Event> {
  readonly events: readonly Event[]
  /** Whether older events follow. */
  readonly hasMore: boolean
}

/** @throws Refusal `validation-failed` for a query that cannot be read */
export function eventPageOf(asked: ListQuery): { readonly before: string; readonly limit: number } {
  const { offset, limit = LIST.pageSize, sort, filter } = parseListQuery(asked, LIST)
  if (asked.sort !== undefined && sort.order === 'asc') {
    const message = 'The newest event is always first. Expected sort=["id","DESC"], or no sort.'
    throw invalid({ field: 'sort', message })
  }
  if (offset > 0) {
    const message =
      'range must begin at 0. To continue, give the id of the last event that you have: filter={"before":"4711"}.'
    throw invalid({ field: 'range', message })
  }
  const [before = AFTER_ALL, ...others] = filter.before ?? []
  if (others.length === 0) return { before, limit }
  throw invalid({
    field: 'filter.before',
    message: 'filter.before is invalid. Expected the id of one event.',
  })
}

/** The header of a page whose list is not counted: the total is known when nothing follows (RFC 9110 §14.4). */
export function eventRange({
  events,
  hasMore,
}: EventPage<unknown>): Readonly<Record<string, string>> {
  const { length } = events
  if (length === 0) return { 'content-range': 'events */0' }
  return { 'content-range': `events 0-${length - 1}/${hasMore ? '*' : length}` }
}
