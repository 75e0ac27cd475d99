/** Reports for administrators how this worker keeps up. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

export interface WorkerReport {
  readonly name: string
  /** How late checks began in the last minute: the 99th percentile. */
  readonly lagMs: number
  readonly checksPerMinute: number
  readonly isBlind: boolean
}

export async function reportWorker(
  knex: Knex,
  { name, lagMs, checksPerMinute, isBlind }: WorkerReport,
): Promise<void> {
  await query(
    knex,
    `insert into monitor_workers (name, seen_at, lag_ms, checks_per_minute, is_blind)
     values (?, now(), ?, ?, ?)
     on conflict (name) do update set
       seen_at = excluded.seen_at, lag_ms = excluded.lag_ms, checks_per_minute = excluded.checks_per_minute,
       is_blind = excluded.is_blind`,
    [name, lagMs, checksPerMinute, isBlind],
  )
}

/** The worker has stopped. */
export async function removeWorker(knex: Knex, name: string): Promise<void> {
  await query(knex, 'delete from monitor_workers where name = ?', [name])
}
