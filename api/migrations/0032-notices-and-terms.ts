import type { Knex } from 'knex'

/** What an account wants to be told by mail, the terms that it accepted, and changes of API keys. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column notify_address_changed boolean not null default false,
      -- Null: it is not notified of domains that get no updates.
      add column notify_not_updated_days smallint check (notify_not_updated_days between 1 and 90),
      add column notify_key_expiring boolean not null default true,
      -- Null: the account is older than these columns, or was made without accepting terms.
      add column terms_version text,
      add column terms_accepted_at timestamptz,
      add constraint users_terms_check check ((terms_version is null) = (terms_accepted_at is null));
    create index users_notify_address on users (id) where notify_address_changed;
    create index users_notify_silence on users (id) where notify_not_updated_days is not null;
    -- The browser that registered an account asks whether its address is verified.
    create unique index users_registration_digest on users (registration_digest) where registration_digest is not null;

    alter table api_keys
      add column version integer not null default 1,
      -- The end of the key that its owner was notified of. A key whose end moves is notified of again.
      add column expiry_told_for timestamptz;

    -- What the owners of domains were told by mail.
    create table domain_notices (
      domain_id bigint primary key references domains on delete cascade,
      -- The addresses that the owner knows, and since when. Null: the owner is not notified of changes.
      told_ipv4 inet,
      told_ipv6 inet,
      addresses_told_at timestamptz,
      -- The last update before the silence that the owner was notified of.
      silence_told_for timestamptz
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table domain_notices;
    alter table api_keys drop column version, drop column expiry_told_for;
    drop index users_registration_digest;
    alter table users
      drop column notify_address_changed, drop column notify_not_updated_days, drop column notify_key_expiring,
      drop column terms_version, drop column terms_accepted_at`)
}
