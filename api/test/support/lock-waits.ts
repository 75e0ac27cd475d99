/** Two transactions in an order that the test decides: one holds a row, and the other is known to wait for it. */
import type { Knex } from 'knex'
import { vi } from 'vitest'
import { query } from '../../src/sql.ts'

/** Resolves when some session of this database waits for a lock. */
export async function untilSomebodyWaits(knex: Knex): Promise<void> {
  await vi.waitUntil(
    async () => {
      const waiting = await query(
        knex,
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    },
    { interval: 5, timeout: 5_000 },
  )
}
