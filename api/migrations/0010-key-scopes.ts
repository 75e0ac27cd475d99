import type { Knex } from 'knex'

/** What an API key is for, until when, and from where it was last used. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys
      -- Null: everything that a key can reach. It never changes: another scope is another key.
      add column scope jsonb,
      add column expires_at timestamptz,
      -- A key that nobody uses for so many days ends. Each use moves the end.
      add column unused_days smallint check (unused_days between 1 and 365),
      add column unused_expires_at timestamptz,
      add column last_used_ip inet,
      add column last_client text,
      add constraint api_keys_unused_check check ((unused_days is null) = (unused_expires_at is null))`)
}

/** A key that was for less than everything must not become one that is for everything. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from api_keys where scope is not null or expires_at is not null or unused_days is not null;
    alter table api_keys
      drop column scope, drop column expires_at, drop column unused_days, drop column unused_expires_at,
      drop column last_used_ip, drop column last_client`)
}
