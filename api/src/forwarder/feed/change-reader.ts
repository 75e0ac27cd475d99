/*
 * Reads the change sets after a version, and the present version, with one statement. It reads complete sets: `with ties`
 * never cuts the last one.
 */
import type { Client } from 'pg'
import type { ChangedName, FeedVersion } from '../forward-table.ts'
import { type FeedRow, isServable, type OnSkipped, servedForward, versionOf } from './feed-rows.ts'

/** A few milliseconds of work. */
const ROWS_AT_ONCE = 2_000

const READ_CHANGES = {
  name: 'read-forward-changes',
  text: `
    select f.serial, f.feed_id, f.token, pg_is_in_recovery() as is_standby,
           c.serial as set_serial, c.name, c.forward, c.is_removed, c.grace_seconds,
           c.token as set_token, c.previous_token
    from forward_feed f
    left join lateral (
      select serial, name, forward, is_removed, grace_seconds, token, previous_token from forward_change
      where serial > $1::bigint and serial <= $1::bigint + ${ROWS_AT_ONCE + 1}
      order by serial fetch first ${ROWS_AT_ONCE} rows with ties
    ) c on true
    order by c.serial`,
}

interface ChangeRow extends FeedRow {
  readonly is_standby: boolean
  /** Null, like all following fields, when there is no newer set. */
  readonly set_serial: string | null
  readonly name: string
  readonly forward: unknown
  readonly is_removed: boolean
  readonly grace_seconds: number
  readonly set_token: string
  readonly previous_token: string
}

/** The changes of one transaction, and the version that they lead to. */
export interface ForwardChangeSet {
  readonly version: FeedVersion
  /** The token of the version that the set is based on. */
  readonly previousToken: string
  readonly changes: readonly ChangedName[]
}

export interface ChangesRead {
  /** The present version of the feed. */
  readonly present: FeedVersion
  /** The next sets in order. There may be more. */
  readonly sets: readonly ForwardChangeSet[]
  readonly isStandby: boolean
}

/** @throws PostgreSQL's error, or Error when the database has no forward feed */
export async function readChanges(
  client: Client,
  held: FeedVersion,
  onSkipped: OnSkipped,
): Promise<ChangesRead> {
  const { rows } = await client.query<ChangeRow>({ ...READ_CHANGES, values: [String(held.serial)] })
  const [first] = rows
  if (first === undefined) throw new Error('the database has no forward feed')
  const sets = new Map<string, ChangeRow[]>()
  for (const row of rows) {
    if (row.set_serial === null) break
    const ofSet = sets.get(row.set_serial)
    if (ofSet === undefined) sets.set(row.set_serial, [row])
    else ofSet.push(row)
  }
  return {
    present: versionOf(first),
    sets: Array.from(sets.values(), (ofSet) => changeSet(ofSet, onSkipped)),
    isStandby: first.is_standby,
  }
}

function changeSet(rows: readonly ChangeRow[], onSkipped: OnSkipped): ForwardChangeSet {
  const [first] = rows
  if (first === undefined) throw new RangeError('a change set has no rows')
  const changes = rows
    .filter(({ name }) => isServable(name, onSkipped))
    .map(({ name, forward, is_removed, grace_seconds }) => ({
      name,
      forward: servedForward(name, forward, onSkipped),
      isRemoved: is_removed,
      graceSeconds: grace_seconds,
    }))
  return {
    version: {
      serial: BigInt(first.set_serial ?? 0),
      feedId: first.feed_id,
      token: first.set_token,
    },
    previousToken: first.previous_token,
    changes,
  }
}
