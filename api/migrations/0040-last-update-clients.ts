import type { Knex } from 'knex'

/** Each step alone: the clients of present domains are written in small batches while updates go on. */
export const config = { transaction: false }

const BATCH_ROWS = 1_000

/** Owners do not see the clients of administrators. */
const SET_CLIENT = `last_update_client = case when t.actor = 'administrator' then null else t.client end,`

/** The function of migration 0006, and what else it sets in a domain. */
const writeAddresses = (setClient: string) => `
  create or replace function write_addresses(changes json, refill_seconds integer, burst integer) returns table (n integer, version integer)
  language plpgsql volatile
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
  #variable_conflict use_column
  declare
    batch address_change[];
    due address_change[];
    wildcards bigint[];
    of_zone record;
  begin
    -- An array, because PostgreSQL expects few rows of unnest and looks domains up by their key. Of json_populate_recordset it
    -- expects a hundred, and reads the whole table.
    batch := array(select c from json_populate_recordset(null::address_change, changes) as c);
    -- PostgreSQL judges a row again when it has changed by the time it is locked.
    due := array(
      select c
      from unnest(batch) as c
      join domains d on d.id = c.domain_id
      join users u on u.id = d.user_id
      where address_judgement(d, u, c, refill_seconds, burst) = 'change'
      order by d.id
      for update of d skip locked);
    if cardinality(due) = 0 then
      return;
    end if;
    -- A base is held, so it gets no wildcard now; one that it got just before is seen by this later statement.
    wildcards := array(
      select w.id from unnest(due) as c join domains w on w.base_id = c.domain_id
      order by w.id
      for update of w skip locked);

    for of_zone in
      with present as materialized (
        select c.*, d.fqdn, d.record_ipv4, d.record_ipv6, w.id as wildcard_id,
               case when c.sets_ipv4 then c.ipv4 else d.record_ipv4 end as new_ipv4,
               case when c.sets_ipv6 then c.ipv6 else d.record_ipv6 end as new_ipv6
        from unnest(due) as c
        join domains d on d.id = c.domain_id
        left join domains w on w.base_id = d.id
        -- A base whose wildcard somebody else holds is left for the next batch.
        where w.id is null or w.id = any (wildcards)
      ), target as (
        select n, domain_id, new_ipv4, new_ipv6, client, actor from present
        union all
        select null, wildcard_id, new_ipv4, new_ipv6, client, actor from present where wildcard_id is not null
      ), history as (
        insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                                   old_ipv4, old_ipv6, new_ipv4, new_ipv6)
        select domain_id, user_id, fqdn, 'address', actor, actor_id, source_ip, client,
               record_ipv4, record_ipv6, new_ipv4, new_ipv6
        from present
      ), written as (
        update domains d
        set record_ipv4 = t.new_ipv4, record_ipv6 = t.new_ipv6, version = d.version + 1, last_update_at = now(),
            ${setClient}
            allowance_full_at = greatest(d.allowance_full_at, now()) + make_interval(secs => refill_seconds)
        from target t where d.id = t.domain_id
        returning t.n, d.zone_id, d.fqdn, d.version
      )
      select zone_id, array_agg(fqdn) as owners, array_agg(n) as places, array_agg(version) as versions
      from written group by zone_id order by zone_id
    loop
      perform publish_owners(of_zone.zone_id, of_zone.owners, '{}');
      return query
        select w.n, w.version from unnest(of_zone.places, of_zone.versions) as w(n, version) where w.n is not null;
    end loop;
  end
  $$;`

/** Domains that another transaction holds are skipped: they are getting a new client. */
const FILL = `
  with batch as (
    select id, coalesce(base_id, id) as subject, last_update_at from domains
    where id > ? order by id limit ${BATCH_ROWS} for update skip locked
  ), written as (
    update domains d
    set last_update_client = (
      select case when e.actor = 'administrator' then null else e.client end from domain_events e
      where e.domain_id = b.subject and e.happened_at = b.last_update_at
        and e.kind in ('created', 'address', 'wildcard_created')
      order by e.id desc limit 1)
    from batch b where d.id = b.id and b.last_update_at is not null
  )
  select max(id) as last from batch`

async function fillClients(knex: Knex): Promise<void> {
  let last: string | null = '0'
  while (last !== null) {
    // One batch after another, so that updates wait only for the rows of one.
    // oxlint-disable-next-line no-await-in-loop
    const filled: { rows: { last: string | null }[] } = await knex.raw(FILL, [last])
    last = filled.rows[0]?.last ?? null
  }
}

/** The client of the last update in the row of its domain: lists of domains would search the history for each row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table domains add column if not exists last_update_client text;
    alter table deleted_domains add column if not exists last_update_client text`)
  await knex.raw(writeAddresses(SET_CLIENT))
  await fillClients(knex)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(writeAddresses(''))
  await knex.raw(`
    alter table domains drop column last_update_client;
    alter table deleted_domains drop column last_update_client`)
}
