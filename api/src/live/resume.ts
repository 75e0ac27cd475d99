/** The first events of a stream: what its client missed, or that it must read its lists again. */
import type { Knex } from 'knex'
import { changeEvents } from './account-events.ts'
import { readTouched } from './changes.ts'
import { positionOfText } from './feed-position.ts'
import type { LiveEvent } from './open-stream.ts'

const RELOAD: readonly LiveEvent[] = [['reload', {}]]
/** A client can name zones that its account has left. More of them would be reads for nothing. */
const LEFT_ZONES_LIMIT = 3
/** Longer than the feed is kept. */
const EVER_SECONDS = 400 * 86_400

export interface Resumption {
  readonly knex: Knex
  readonly accountId: string
  /** The zones in which the account has domains, and its own zones. */
  readonly zoneIds: readonly string[]
  readonly lastEventId: string | undefined
}

/** @throws the error of PostgreSQL */
export async function firstEvents(asked: Resumption): Promise<readonly LiveEvent[]> {
  const { knex, accountId, zoneIds, lastEventId } = asked
  const since = lastEventId === undefined ? undefined : positionOfText(lastEventId)
  // The client has not seen a zone that concerns the account now.
  if (since === undefined || zoneIds.some((zoneId) => !since.has(zoneId))) return RELOAD
  if (since.size > zoneIds.length + LEFT_ZONES_LIMIT) return RELOAD
  const touched = await readTouched(knex, since)
  if (!touched.isComplete) return RELOAD
  const found = await changeEvents(knex, touched, [accountId], EVER_SECONDS)
  return found.get(accountId)?.events ?? []
}
