import type { Knex } from 'knex'

// An API of the version before, and an operator with SQL, write the plan itself. What they write must last, so the flags
// and grants follow it. A writer that derived the plan from them changes nothing here.
const DIRECT_PLANS = `
  create function derived_account_type(account bigint, is_administrator boolean, is_disabled boolean) returns text
  language sql stable as $$
    select case when is_disabled then 'disabled' when is_administrator then 'admin'
                else coalesce((select plan from plan_grants where user_id = account order by plan = 'elite' desc limit 1), 'free') end
  $$;

  create function settle_direct_plan() returns trigger language plpgsql as $$
  begin
    if new.account_type = derived_account_type(new.id, new.is_administrator, new.is_disabled) then
      return null;
    end if;
    update users
    set is_disabled = new.account_type = 'disabled',
        is_administrator = new.account_type = 'admin' or (new.account_type = 'disabled' and new.is_administrator)
    where id = new.id;
    if new.account_type = 'free' then
      delete from plan_grants where user_id = new.id;
    elsif new.account_type in ('pro', 'elite') then
      delete from plan_grants where user_id = new.id and plan = 'elite';
      insert into plan_grants (user_id, source, plan) values (new.id, 'complimentary', new.account_type)
      on conflict (user_id, source) do update set plan = excluded.plan, until = null;
    end if;
    return null;
  end $$;

  create trigger users_direct_plan_new after insert on users
    for each row when (new.account_type <> 'free') execute function settle_direct_plan();
  create trigger users_direct_plan after update of account_type on users
    for each row execute function settle_direct_plan();`

/**
 * What a plan of an account comes from. `users.account_type` is derived from it: disabled, then administrator, then the highest
 * grant, then free.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table plan_grants (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      source text not null check (source in ('payment', 'complimentary', 'trial')),
      plan text not null references plans check (plan in ('pro', 'elite')),
      -- Null: it does not end by time.
      until timestamptz,
      granted_at timestamptz not null default now(),
      -- The administrator; null: the service.
      granted_by bigint references users on delete set null,
      constraint plan_grants_once unique (user_id, source)
    );
    create index plan_grants_until on plan_grants (until) where until is not null;
    create index plan_grants_by on plan_grants (granted_by) where granted_by is not null;

    alter table users
      add column is_administrator boolean not null default false,
      add column is_disabled boolean not null default false;
    update users set is_administrator = true where account_type = 'admin';
    update users set is_disabled = true where account_type = 'disabled';
    -- Until now, administrators gave these plans.
    insert into plan_grants (user_id, source, plan)
      select id, 'complimentary', account_type from users where account_type in ('pro', 'elite');`)
  await knex.raw(DIRECT_PLANS)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger users_direct_plan_new on users;
    drop trigger users_direct_plan on users;
    drop function settle_direct_plan, derived_account_type;
    alter table users drop column is_administrator, drop column is_disabled;
    drop table plan_grants`)
}
