/** Two transactions in a fixed order: one holds a row, and the other is known to wait for it. */
import type { Knex } from 'knex'
import { expect } from 'vitest'
import { query } from '../../src/database/sql.ts'

/** Resolves when a session of this database waits for a lock. */
export async function untilSomebodyWaits(knex: Knex): Promise<void> {
  const waiting = () =>
    query(
      knex,
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
  await expect.poll(waiting, { interval: 5 }).not.toEqual([])
}
