/**
 * The intervals of a monitor: one state after another. Each interval has the sums of all time before it, so the time by
 * state between two moments is the difference of two sums, however many intervals lie between them.
 */
import type { MonitorCause } from '@homing/openapi/vocabulary'
import { type IntervalState, NO_TIME, type StateSums, withTime } from './uptime.ts'

/** The begin of a state. */
export interface Move {
  readonly state: IntervalState
  /** Milliseconds since 1970, as all times here. */
  readonly since: number
  readonly cause: MonitorCause | null
  readonly causeText: string | null
}

/** An interval that has not ended. */
export interface PresentInterval extends Pick<Move, 'state' | 'since'> {
  readonly id: string
  readonly before: StateSums
}

/** An interval to insert. `until` null: it has not ended. */
export interface NewInterval extends Move {
  readonly until: number | null
  readonly before: StateSums
}

/** What to write. */
export interface IntervalChanges {
  /** The present interval ends. */
  readonly ended: { readonly id: string; readonly until: number } | null
  /** The present interval gets another state, because this one began no later. */
  readonly replaced: (Move & { readonly id: string; readonly until: number | null }) | null
  readonly begun: readonly NewInterval[]
}

/** An interval while moves are applied. */
interface Link extends NewInterval {
  readonly isReplaced: boolean
}

/** The changes of the intervals for moves in the order of their times. A move into the present state changes nothing. */
export function changesOf(
  present: PresentInterval | null,
  moves: readonly Move[],
): IntervalChanges {
  const before: Link[] =
    present === null
      ? []
      : [{ ...present, cause: null, causeText: null, until: null, isReplaced: false }]
  const links = moves.reduce(withMove, before)
  if (present === null) return { ended: null, replaced: null, begun: links.map(asInterval) }
  const { id } = present
  const [first, ...others] = links
  if (first === undefined) throw new Error('moves remove no interval')
  const { isReplaced, state, since, cause, causeText, until } = first
  return {
    ended: !isReplaced && until !== null ? { id, until } : null,
    replaced: isReplaced ? { id, state, since, cause, causeText, until } : null,
    begun: others.map(asInterval),
  }
}

const asInterval = ({ state, since, until, cause, causeText, before }: Link): NewInterval => ({
  state,
  since,
  until,
  cause,
  causeText,
  before,
})

function withMove(links: readonly Link[], move: Move): Link[] {
  const last = links.at(-1)
  if (last === undefined) {
    // A monitor without intervals has not begun: a pause needs no interval.
    return move.state === 'off'
      ? []
      : [{ ...move, until: null, before: NO_TIME, isReplaced: false }]
  }
  if (last.state === move.state) return [...links]
  const earlier = links.slice(0, -1)
  if (move.since <= last.since) {
    return [...earlier, { ...last, ...move, since: last.since, isReplaced: true }]
  }
  const before = withTime(last.before, last.state, move.since - last.since)
  return [
    ...earlier,
    { ...last, until: move.since },
    { ...move, until: null, before, isReplaced: false },
  ]
}
