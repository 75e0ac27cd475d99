import type { Knex } from 'knex'

/** Update tokens of domains, and the update calls that were received for them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One for each domain, good for its update URL alone. It goes with its domain.
    create table update_tokens (
      id bigint generated always as identity primary key,
      domain_id bigint not null unique references domains on delete cascade,
      prefix text not null,
      secret_digest bytea not null unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      last_used_ip inet,
      last_client text
    ) with (fillfactor = 80);

    alter table domain_events drop constraint domain_events_actor_check;
    alter table domain_events add constraint domain_events_actor_check
      check (actor in ('session', 'api_key', 'password', 'update_token', 'administrator', 'system'));

    -- The last update calls of each domain, in two rings of places that are written over: one for the owner's calls, and a
    -- smaller one for refused ones, so that a stranger cannot push the owner's out. No foreign key: checking it would lock
    -- the domains' rows, which is what updates wait for. What belongs to no domain any more goes with the clean-up.
    create table update_calls (
      domain_id bigint not null,
      is_refused boolean not null,
      place smallint not null check (place between 0 and 49),
      -- Counts the calls of a ring; the call of the highest number is the newest.
      number bigint not null,
      times integer not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      source_ip inet,
      client text,
      dialect text not null,
      path text not null,
      said text not null,
      answer text not null,
      hint text,
      primary key (domain_id, is_refused, place)
    ) with (fillfactor = 80);

    -- The number of the newest call of each ring; locked while calls of the domain are written.
    create table update_call_rings (
      domain_id bigint primary key,
      owned bigint not null default 0,
      refused bigint not null default 0
    ) with (fillfactor = 50);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table update_call_rings, update_calls, update_tokens;
    update domain_events set actor = 'api_key' where actor = 'update_token';
    alter table domain_events drop constraint domain_events_actor_check;
    alter table domain_events add constraint domain_events_actor_check
      check (actor in ('session', 'api_key', 'password', 'administrator', 'system'))`)
}
