import type { Knex } from 'knex'

/**
 * Roles for the processes that read the feed. Roles belong to the whole
 * PostgreSQL instance, so another database's migration may have made them
 * already, or may be making them at this moment (hence the lock).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare
      wanted text;
    begin
      perform pg_advisory_xact_lock(hashtext('homing feed roles'));
      foreach wanted in array array['homing_dnsd', 'homing_forwarder'] loop
        if not exists (select from pg_roles where rolname = wanted) then
          begin
            execute format('create role %I nologin', wanted);
          exception
            when duplicate_object or unique_violation then null;
            when insufficient_privilege then
              raise warning 'The right to create roles is missing. Let a superuser run: create role %; and then: grant usage on schema public to %; grant select on dns_zone, dns_record, dns_change to %;', wanted, wanted, wanted;
          end;
        end if;
      end loop;
      if exists (select from pg_roles where rolname = 'homing_dnsd') then
        grant usage on schema public to homing_dnsd;
        grant select on dns_zone, dns_record, dns_change to homing_dnsd;
      end if;
      if exists (select from pg_roles where rolname = 'homing_forwarder') then
        grant usage on schema public to homing_forwarder;
      end if;
    end
    $$`)
}

/** Roles are shared by all databases of the instance: only this database's grants are taken back. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ begin
      if exists (select from pg_roles where rolname = 'homing_dnsd') then
        revoke all on dns_zone, dns_record, dns_change from homing_dnsd;
        revoke usage on schema public from homing_dnsd;
      end if;
      if exists (select from pg_roles where rolname = 'homing_forwarder') then
        revoke usage on schema public from homing_forwarder;
      end if;
    end $$`)
}
