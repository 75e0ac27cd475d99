import type { Knex } from 'knex'

/** One transaction for each step: the trigger blocks deletions of domains for a moment only, and not while history is read. */
export const config = { transaction: false }

/** The database records the last owner of a deleted domain, so that an older api or a person at a prompt cannot omit it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function keep_former_domains() returns trigger language plpgsql as $$
    begin
      -- An older api writes the row itself, before it deletes.
      insert into former_domains (domain_id, user_id, fqdn, deleted_at)
      select id, user_id, fqdn, now() from gone
      on conflict (domain_id) do nothing;
      return null;
    end $$;
    -- Once for a statement, however many names it deletes.
    create or replace trigger domains_former after delete on domains
      referencing old table as gone for each statement execute function keep_former_domains()`)
  // The trigger waited for deletions under way, so all that it missed is in the history by now. An hour for a clock that is ahead.
  await knex.raw(`
    insert into former_domains (domain_id, user_id, fqdn, deleted_at)
    select distinct on (e.domain_id) e.domain_id, e.user_id, e.fqdn, e.happened_at
    from domain_events e join users u on u.id = e.user_id
    where e.kind = 'deleted' and not exists (select from domains d where d.id = e.domain_id)
      and e.happened_at >= (
        select migration_time - interval '1 hour' from schema_migrations where name = '0020-former-domains.ts')
    order by e.domain_id, e.happened_at desc
    on conflict (domain_id) do nothing`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger domains_former on domains; drop function keep_former_domains()')
}
