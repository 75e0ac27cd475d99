import type { Knex } from 'knex'

/**
 * The change feed (docs/design.md "The feed"): serials, change sets and the views
 * from which dnsd reads. The view `dns_record` is the one home of the rule
 * "what does an owner name publish": change sets and full reads both use it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Lock and clock of each zone. Nothing references it and half of each page stays free: every update is a HOT update.
    create table zone_serials (
      zone_id bigint primary key,
      serial bigint not null check (serial > 0),
      feed_id uuid not null,
      token uuid not null,
      previous_token uuid not null
    ) with (
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000
    );

    -- One row for each owner of a change set: its whole new state. rrsets null: the name is gone; '[]': it exists without data.
    create table zone_changes (
      zone_id bigint not null,
      serial bigint not null,
      owner text not null,
      rrsets jsonb,
      token uuid not null,
      previous_token uuid not null,
      changed_at timestamptz not null,
      primary key (zone_id, serial, owner, changed_at)
    ) partition by range (changed_at);
    create table zone_changes_default partition of zone_changes default;

    -- The wildcards that could cover a name: "*." before each of its ancestors.
    create function wildcards_above(fqdn text) returns text[]
    language sql immutable strict parallel safe as $$
      select coalesce(array_agg('*.' || array_to_string(labels[cut:], '.')), '{}')
      from (select string_to_array(fqdn, '.') as labels) as split, generate_series(2, cardinality(labels)) as cut
    $$;

    create view dns_zone as
      select z.id as zone_id, z.name, s.serial, s.feed_id, s.token,
             z.soa_mname, z.soa_rname, z.soa_refresh, z.soa_retry, z.soa_expire, z.soa_minimum, z.soa_ttl
      from zones z join zone_serials s on s.zone_id = z.id;

    -- A row without type says: the name exists and has no data.
    create view dns_record as
      select zone_id, fqdn as owner, 'A' as type, ttl, array[host(record_ipv4)] as rdata
        from domains where is_active and record_ipv4 is not null
      union all
      select zone_id, fqdn, 'AAAA', ttl, array[host(record_ipv6)]
        from domains where is_active and record_ipv6 is not null
      union all
      select zone_id, fqdn, null, null, null
        from domains where is_active and record_ipv4 is null and record_ipv6 is null
      union all
      -- RFC 4592 §2.2.2: an existing name stops the wildcard. A withheld name below a served wildcard must not be answered by it.
      select d.zone_id, d.fqdn, null, null, null
        from domains d
        where not d.is_active and not d.is_wildcard and (
          exists (select from domains w
                  where w.fqdn = any (wildcards_above(d.fqdn)) and w.zone_id = d.zone_id and w.is_wildcard and w.is_active)
          or exists (select from records w where w.zone_id = d.zone_id and w.owner = any (wildcards_above(d.fqdn)))
        )
      union all
      select r.zone_id, r.owner, r.type, r.ttl, r.rdata
        from records r left join domains d on d.id = r.domain_id
        where r.domain_id is null or d.is_active;

    create view dns_change as
      select zone_id, serial, owner, rrsets, token, previous_token from zone_changes;

    -- The whole present state of some owners, as a change set carries it. Each owner is looked up by a query of its own
    -- (lateral, with an aggregate), because joined to the view as a whole PostgreSQL would read all records of the zone. The
    -- sub-select hides the length of the array from the planner, which otherwise plans anew for each set.
    create function owner_states(zone bigint, owners text[]) returns table (owner text, rrsets jsonb)
    language sql stable as $$
      select o.owner, state.rrsets
      from unnest((select owners)) as o(owner)
      cross join lateral (
        select case when count(*) = 0 then null
               else coalesce(
                 jsonb_agg(jsonb_build_object('type', r.type, 'ttl', r.ttl, 'rdata', to_jsonb(r.rdata)) order by r.type)
                   filter (where r.type is not null), '[]') end as rrsets
        from dns_record r where r.zone_id = zone and r.owner = o.owner
      ) as state
    $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function owner_states; drop view dns_change, dns_record, dns_zone;
    drop function wildcards_above; drop table zone_changes, zone_serials`)
}
