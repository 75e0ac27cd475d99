/** How many records this process has written since its start, for the metrics. */
import type { Knex } from 'knex'

export type RecordChangeKind = 'created' | 'changed' | 'deleted'

/** For each database. */
const counted = new WeakMap<Knex, Map<RecordChangeKind, number>>()

/** Notes committed changes of records. */
export function countRecordChanges(knex: Knex, kinds: Iterable<RecordChangeKind>): void {
  const counts = counted.get(knex) ?? new Map<RecordChangeKind, number>()
  counted.set(knex, counts)
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

export const recordChangeCounts = (knex: Knex): ReadonlyMap<RecordChangeKind, number> =>
  counted.get(knex) ?? new Map()
