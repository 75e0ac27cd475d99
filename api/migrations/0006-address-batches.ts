import type { Knex } from 'knex'

/**
 * The write of the feed as functions, so that a batch of address changes is one statement: one round trip, and its commit with
 * it. Each statement inside a volatile plpgsql function has a view of its own (READ COMMITTED), as it would have if it were sent
 * alone: what `publish_owners` reads is read when the serial is already ours.
 *
 * Bodies that begin with `return` are bound to their tables when they are made; the others say where they look.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The serial after this one. One that would be SOA serial 0 is left out.
    create function next_serial(serial bigint) returns bigint
    language sql immutable strict parallel safe
    return serial + case when (serial + 1) % 4294967296 = 0 then 2 else 1 end;

    -- The hint that shortens the wait of followers. It goes out with the commit.
    create function notify_followers(zone bigint) returns void
    language sql
    return pg_notify('zone_change', zone::text);

    -- Takes the zone's serial and then, by a later statement, writes the present state of the owners under it. The caller has made
    -- the changes already and does nothing afterwards that locks. Withheld names below \`wildcards\` are told too: asked for under
    -- the serial, so a name that was withheld by a transaction that ended before is seen, and a later one sees the wildcard.
    create function publish_owners(zone bigint, owners text[], wildcards text[]) returns zone_serials
    language plpgsql volatile
    set search_path = pg_catalog, public, pg_temp
    -- The plans are kept: made anew for each set they would take longer than the set.
    set plan_cache_mode = force_generic_plan
    as $$
    declare
      taken zone_serials;
      moment timestamptz;
    begin
      update zone_serials s
      set serial = next_serial(s.serial), previous_token = s.token, token = gen_random_uuid()
      where s.zone_id = zone
      returning s.* into taken;
      if not found then
        raise exception 'zone % has no serial', zone
          using errcode = 'foreign_key_violation', constraint = 'zone_has_serial';
      end if;
      if cardinality(wildcards) > 0 then
        -- '.' and '/' are neighbours in ASCII: everything from "moc.elpmaxe." up to "moc.elpmaxe/" lies below example.com.
        owners := array(
          select unnest(owners)
          union
          select d.fqdn
          from unnest(wildcards) as w(wildcard)
          join domains d
            on reverse(d.fqdn) ~>=~ (reverse(substr(w.wildcard, 3)) || '.')
            and reverse(d.fqdn) ~<~ (reverse(substr(w.wildcard, 3)) || '/')
          where d.zone_id = zone and not d.is_active and not d.is_wildcard);
      end if;
      moment := clock_timestamp();
      insert into zone_changes (zone_id, serial, owner, rrsets, token, previous_token, changed_at)
      select zone, taken.serial, o.owner, o.rrsets, taken.token, taken.previous_token, moment
      from owner_states(zone, owners) as o;
      perform notify_followers(zone);
      return taken;
    end
    $$;

    -- A change of a domain's addresses. n is its place in a batch; a family that is not set is kept.
    create type address_change as (
      n integer, domain_id bigint, user_id bigint, expected_version integer,
      sets_ipv4 boolean, ipv4 inet, sets_ipv6 boolean, ipv6 inet, is_throttled boolean,
      actor text, actor_id bigint, source_ip inet, client text
    );

    -- How long until the allowance holds a change again; nothing or less when it holds one now.
    create function allowance_wait_seconds(allowance_full_at timestamptz, refill_seconds integer, burst integer) returns numeric
    language sql stable parallel safe
    return extract(epoch from allowance_full_at - now()) - refill_seconds * (burst - 1);

    -- What a change meets: the one home of this question. \`d\` and \`u\` are null where there is no such domain.
    create function address_judgement(d domains, u users, c address_change, refill_seconds integer, burst integer) returns text
    language sql stable parallel safe
    return case
      when (d).id is null or (d).user_id <> (c).user_id then 'gone'
      when (d).base_id is not null then 'wildcard'
      when (d).locked or (d).over_limit or (d).owner_blocked
        or not (u).enabled or (u).account_type = 'disabled' then 'withheld'
      when (d).version <> (c).expected_version then 'version-mismatch'
      when (not (c).sets_ipv4 or (d).record_ipv4 is not distinct from (c).ipv4)
       and (not (c).sets_ipv6 or (d).record_ipv6 is not distinct from (c).ipv6) then 'unchanged'
      when (c).is_throttled and allowance_wait_seconds((d).allowance_full_at, refill_seconds, burst) > 0 then 'throttled'
      else 'change' end;

    -- Writes the changes of a batch that still apply and whose rows nobody else holds (each domain at most once): rows, history,
    -- serials and change sets. Gives their places and the versions that the domains have now.
    create function write_addresses(changes json, refill_seconds integer, burst integer) returns table (n integer, version integer)
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
          select n, domain_id, new_ipv4, new_ipv6 from present
          union all
          select null, wildcard_id, new_ipv4, new_ipv6 from present where wildcard_id is not null
        ), history as (
          insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                                     old_ipv4, old_ipv6, new_ipv4, new_ipv6)
          select domain_id, user_id, fqdn, 'address', actor, actor_id, source_ip, client,
                 record_ipv4, record_ipv6, new_ipv4, new_ipv6
          from present
        ), written as (
          update domains d
          set record_ipv4 = t.new_ipv4, record_ipv6 = t.new_ipv6, version = d.version + 1, last_update_at = now(),
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
    $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function write_addresses, address_judgement, allowance_wait_seconds;
    drop type address_change;
    drop function publish_owners, notify_followers, next_serial`)
}
