/*
 * Reads the whole feed: its version and all names, in one short transaction, so that both are consistent. The present
 * table answers until the new one is complete. A cursor returns the names in parts, so that memory never holds all rows.
 */
import type { Client } from 'pg'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ForwardNames } from '../forward-names.ts'
import type { FeedVersion } from '../forward-table.ts'
import { type FeedRow, isServable, type OnSkipped, servedForward, versionOf } from './feed-rows.ts'

/** A few milliseconds of work. */
const ROWS_AT_ONCE = 2_000

export interface WholeFeed {
  readonly version: FeedVersion
  readonly names: ForwardNames
}

interface TargetRow {
  readonly name: string
  readonly forward: unknown
}

/** @throws PostgreSQL's error, after which the connection is unusable, or Error when the database has no forward feed */
export async function readWholeFeed(client: Client, onSkipped: OnSkipped): Promise<WholeFeed> {
  await client.query('begin transaction isolation level repeatable read, read only')
  const found = await client.query<FeedRow>('select serial, feed_id, token from forward_feed')
  const [row] = found.rows
  if (row === undefined) throw new Error('the database has no forward feed')
  await client.query(
    'declare forwards no scroll cursor for select name, forward from forward_target',
  )
  const names = new ForwardNames()
  for (;;) {
    const { rows } = await client.query<TargetRow>(`fetch ${ROWS_AT_ONCE} from forwards`)
    for (const { name, forward } of rows) {
      if (isServable(name, onSkipped)) names.set(name, servedForward(name, forward, onSkipped))
    }
    if (rows.length < ROWS_AT_ONCE) break
    await nextTurn()
  }
  await client.query('commit')
  return { version: versionOf(row), names }
}
