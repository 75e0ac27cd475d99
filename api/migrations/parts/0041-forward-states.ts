/** A part of migration 0041: what the forward feed says of a name (the one home of this rule), and how it is written. */

/** What `publish_forwards` asked first: whether one of the names is forwarded, or stops a wildcard that is. */
export const ASKED_STATES = 'select from forward_states(concerned)'

/** @param forwarded finds a row unless none of the names is forwarded and none stops a wildcard that is */
export const publishForwards = (verb: string, forwarded: string) => `
  -- Writes the present state of names to the forward feed. The caller has made the changes already, holds the serials of the
  -- zones that it changed, and does nothing afterwards that locks. Most names have nothing to do with forwards and return
  -- before the lock: the writers of a name wait for each other at its zone's serial or at its owner's account, so nothing
  -- that would change this answer is under way. Gives the serial of the set, or null when it wrote none.
  ${verb} function publish_forwards(names text[]) returns bigint
  language plpgsql volatile
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
  #variable_conflict use_column
  declare
    concerned text[] := names;
    taken bigint;
  begin
    if not exists (select from forward_names n where n.name = any (concerned))
       and not exists (select from forward_graces g where g.name = any (concerned) and g.ends_at > now())
       and not exists (${forwarded}) then
      return null;
    end if;
    perform from forward_serial for update;
    -- Registered names below a wildcard stop it while it is forwarded. About '.' and '/' see publish_owners.
    concerned := array(
      select unnest(concerned)
      union
      select d.fqdn
      from unnest(concerned) as w(wildcard)
      join domains d
        on reverse(d.fqdn) ~>=~ (reverse(substr(w.wildcard, 3)) || '.')
        and reverse(d.fqdn) ~<~ (reverse(substr(w.wildcard, 3)) || '/')
      where starts_with(w.wildcard, '*.') and not d.is_wildcard);
    -- This statement begins when the serial is ours, so it sees what every earlier set saw.
    with changed as materialized (
      select coalesce(s.name, n.name) as name, s.forward, s.name is null as is_removed, n.forward as former
      from forward_states(concerned) as s
      full join (select * from forward_names where name = any (concerned)) as n on n.name = s.name
      where s.name is null or n.name is null or s.forward is distinct from n.forward
    ), stopped as (
      -- A forward had ended before, and forwarders would go on with it after an administrator stops the domain.
      select g.name, null::jsonb as forward, n.name is null as is_removed, '{}'::jsonb as former
      from forward_graces g
      join domains d on d.fqdn = g.name
      left join web_forwards f on f.domain_id = coalesce(d.base_id, d.id)
      left join forward_names n on n.name = g.name
      where g.name = any (concerned) and g.ends_at > now() and n.forward is null
        and (d.locked or d.owner_blocked or f.disabled_at is not null)
        and not exists (select from changed c where c.name = g.name)
    ), difference as materialized (
      select * from changed union all select * from stopped
    ), clock as (
      update forward_serial
      set serial = serial + 1, previous_token = token, token = gen_random_uuid()
      where exists (select from difference)
      returning serial, token, previous_token
    ), gone as (
      delete from forward_names n using difference c where n.name = c.name and c.is_removed
    ), present as (
      insert into forward_names (name, forward)
      select name, forward from difference where not is_removed
      on conflict (name) do update set forward = excluded.forward
    ), written as (
      insert into forward_changes (serial, name, forward, is_removed, grace_seconds, token, previous_token, changed_at)
      select t.serial, c.name, c.forward, c.is_removed,
             case when c.forward is not null then 0
                  -- A name that stopped a wildcard goes on doing so for as long as the wildcard does.
                  when c.former is null then case when c.is_removed and d.id is not null then d.ttl + 60 else 0 end
                  -- What administrators stop ends at once.
                  when d.locked or d.owner_blocked or f.disabled_at is not null then 0
                  else (c.former ->> 'ttl')::integer + 60 end,
             t.token, t.previous_token, clock_timestamp()
      from difference c cross join clock t
      left join domains d on d.fqdn = c.name
      left join web_forwards f on f.domain_id = coalesce(d.base_id, d.id)
      returning name, grace_seconds, changed_at
    ), ending as (
      insert into forward_graces (name, ends_at)
      select w.name, w.changed_at + make_interval(secs => w.grace_seconds)
      from written w join difference c on c.name = w.name
      where w.grace_seconds > 0 and c.former is not null
      on conflict (name) do update set ends_at = excluded.ends_at
    ), ended as (
      delete from forward_graces g using written w, difference c
      where w.name = g.name and c.name = g.name and (w.grace_seconds = 0 or c.former is null)
    )
    select serial into taken from clock;
    if taken is not null then
      perform pg_notify('homing_forwards', taken::text);
    end if;
    return taken;
  end
  $$;`

export const FORWARD_STATES = `
  create view forward_state as
    select d.fqdn as name, jsonb_build_object(
             'id', f.id::text,
             'type', case when f.forwarding_type = 'stealth' and f.fallback is null then 'stealth' else 'redirect' end,
             'status', f.status_code, 'target', f.target_url, 'path', f.forward_path, 'query', f.forward_query,
             'title', f.title, 'description', f.description, 'keywords', f.keywords,
             'since', to_char(f.target_set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'ttl', d.ttl) as forward
      from domains d join web_forwards f on f.domain_id = coalesce(d.base_id, d.id)
      where d.is_active and d.is_forwarded
    union all
    select d.fqdn, null
      from domains d
      where not (d.is_active and d.is_forwarded) and not d.is_wildcard and exists (
        select from domains w
        where w.fqdn = any (wildcards_above(d.fqdn)) and w.is_wildcard and w.is_active and w.is_forwarded);

  -- Each name is looked up by a query of its own; the limit keeps the planner from joining the view as a whole.
  create function forward_states(names text[]) returns table (name text, forward jsonb)
  language sql stable as $$
    select n.name, s.forward
    from (select distinct unnest((select names)) as name) as n
    cross join lateral (select f.forward from forward_state f where f.name = n.name limit 1) as s
  $$;
${publishForwards('create', ASKED_STATES)}`
