import type { Knex } from 'knex'

/** Each index alone: writers wait only for the one on their table, about half a second with a million rows. */
export const config = { transaction: false }

// Not `concurrently`: that waits for every snapshot, also that of a process that waits for the lock of the migrations,
// and so for this one.
const INDEXES = [
  // PostgreSQL looks up what refers to a deleted row, once for each row. Without an index it reads the whole table.
  'zone_events_user on zone_events (user_id)',
  'deleted_domains_zone on deleted_domains (zone_id)',
  'checkouts_replaces on checkouts (replaces_id) where replaces_id is not null',
  // The stealth forwards whose targets are due for a check: those that were never checked come first.
  `web_forwards_check on web_forwards (coalesce(checked_at, '-infinity'))
    where forwarding_type = 'stealth' and is_active and disabled_at is null`,
  // Each change of a web forward asks whether a lost zone has a disabled forward to its target.
  'zone_claims_kept on zone_claims (id) where kept is not null',
]

/** Removing an account or a zone, claiming the next targets to check, and changing a web forward must not read whole tables. */
export async function up(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`create index if not exists ${index}`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop index zone_events_user, deleted_domains_zone, checkouts_replaces, web_forwards_check, zone_claims_kept',
  )
}
