/** Figures of payments for the metrics of the worker. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

export interface PaymentFigures {
  readonly subscriptions: Readonly<Record<string, number>>
  readonly pendingEvents: number
  readonly openDuties: number
  /** How long the oldest open duty waits, in seconds; 0: no duty is open. */
  readonly oldestDutySeconds: number
}

const COUNTS = `
  select (select coalesce(json_object_agg(state, count), '{}') from
            (select state, count(*)::int from subscriptions where not is_surplus group by state) s) as subscriptions,
         (select count(*)::int from payment_events where state = 'pending') as "pendingEvents",
         (select count(*)::int from payment_duties where done_at is null) as "openDuties",
         (select coalesce(max(extract(epoch from ?::timestamptz - created_at)), 0)::float8
          from payment_duties where done_at is null) as "oldestDutySeconds"`

export async function paymentFigures(knex: Knex, now: Date): Promise<PaymentFigures> {
  const [row] = await query<PaymentFigures>(knex, COUNTS, [now])
  if (row === undefined) throw new Error('a count has a row')
  return row
}
