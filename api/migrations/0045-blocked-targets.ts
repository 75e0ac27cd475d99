import type { Knex } from 'knex'

/**
 * Targets of web forwards that administrators blocked for everybody. A block has no expiry, and outlives the forwards that
 * it stopped, their domains and their accounts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table blocked_targets (
      id bigint generated always as identity primary key,
      -- In A-labels, without a port, a final dot and the brackets of IPv6.
      host text not null check (host = lower(host) and host not like '%.'),
      scope text not null check (scope in ('host', 'subdomains', 'path')),
      -- Of the scope path: normalised, without a final slash.
      path text not null default '' check ((scope = 'path') = (path like '/_%')),
      -- The owners of the forwards that it stops read it.
      reason text not null,
      blocked_at timestamptz not null default now(),
      -- Null: the account of that administrator is gone.
      blocked_by bigint references users on delete set null,
      constraint blocked_targets_once unique (host, scope, path)
    );
    create index blocked_targets_blocked_by on blocked_targets (blocked_by) where blocked_by is not null;

    -- The blocked target that stops the forward; null: none does, or an administrator disabled this forward itself. Not a
    -- foreign key: a blocked target is deleted first, and then its forwards start again, a limited number in a transaction.
    alter table web_forwards
      add column blocked_target_id bigint,
      add constraint web_forwards_blocked check (blocked_target_id is null or disabled_at is not null);
    create index web_forwards_blocked_target on web_forwards (blocked_target_id) where blocked_target_id is not null`)
}

/** Forwards that a blocked target stopped stay disabled. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table web_forwards drop column blocked_target_id;
    drop table blocked_targets`)
}
