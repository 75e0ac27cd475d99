import type { Knex } from 'knex'

/** Each step alone: creating the trigger blocks writers of `domains` for a moment, which must not last while the table is read. */
export const config = { transaction: false }

/**
 * Locks that administrators set on names. A lock holds for the name and everything below it, has no
 * expiry, and outlives both the domain and the account that held it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists locked_names (
      id bigint generated always as identity primary key,
      fqdn text not null unique check (fqdn = lower(fqdn) and fqdn not like '%.'),
      locked_at timestamptz not null default now(),
      -- The administrator who set the lock. Null: that account is gone, or the lock was not set through the API.
      locked_by bigint references users on delete set null,
      -- The account that last held the name. Null: that account is gone.
      user_id bigint references users on delete set null
    );
    create index if not exists locked_names_reversed on locked_names (reverse(fqdn) text_pattern_ops);
    create index if not exists locked_names_locked_by on locked_names (locked_by) where locked_by is not null;
    create index if not exists locked_names_user on locked_names (user_id) where user_id is not null;

    -- a.b.c → {a.b.c, b.c, c}
    create or replace function names_at_or_above(fqdn text) returns text[]
    language sql immutable strict parallel safe as $$
      select array_agg(array_to_string(labels[cut:], '.'))
      from (select string_to_array(fqdn, '.') as labels) as split, generate_series(1, cardinality(labels)) as cut
    $$;

    -- The flag of a domain and the lock of its name go together, even if an api of the previous version sets the flag, or
    -- a person at a prompt. A domain below a locked name has the flag and no lock of its own.
    create or replace function keep_locked_names() returns trigger language plpgsql as $$
    begin
      if not new.locked then
        delete from locked_names where fqdn = new.fqdn;
      elsif not exists (select from locked_names l where l.fqdn = any (names_at_or_above(new.fqdn))) then
        insert into locked_names (fqdn, user_id) values (new.fqdn, new.user_id) on conflict (fqdn) do nothing;
      end if;
      return null;
    end $$;
    create or replace trigger domains_locked after update of locked on domains
      for each row when (old.locked is distinct from new.locked and not new.is_wildcard)
      execute function keep_locked_names()`)
  await knex.raw(`
    insert into locked_names (fqdn, locked_at, locked_by, user_id)
    select d.fqdn, coalesce(e.happened_at, now()), u.id, d.user_id
    from domains d
    left join lateral (
      select happened_at, actor_id from domain_events
      where domain_id = d.id and kind = 'withheld' and actor = 'administrator' order by id desc limit 1
    ) as e on true
    left join users u on u.id = e.actor_id
    where d.locked and not d.is_wildcard
    on conflict (fqdn) do nothing`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger domains_locked on domains;
    drop function keep_locked_names();
    drop function names_at_or_above(text);
    drop table locked_names`)
}
