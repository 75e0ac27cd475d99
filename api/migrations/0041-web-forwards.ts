import type { Knex } from 'knex'
import { FORWARD_STATES } from './parts/0041-forward-states.ts'

/** Steps of its own: the check of the history is validated while updates go on. */
export const config = { transaction: false }

const KINDS_BEFORE = `'created', 'address', 'deleted', 'wildcard_created', 'withheld', 'restored', 'paused', 'resumed',
  'note', 'tags', 'undeleted'`
const KINDS = `${KINDS_BEFORE}, 'forward-started', 'forward-changed', 'forward-ended'`

async function replaceKinds(knex: Knex, kinds: string) {
  await knex.raw(`
    alter table domain_events
      drop constraint if exists domain_events_kind_check,
      add constraint domain_events_kind_check check (kind in (${kinds})) not valid`)
  // A validation does not block writers.
  await knex.raw('alter table domain_events validate constraint domain_events_kind_check')
}

const TABLES = `
  -- What the forwarder does with requests for a domain. It has a row even while it is turned off.
  create table web_forwards (
    id bigint generated always as identity primary key,
    domain_id bigint not null unique references domains on delete cascade,
    user_id bigint not null references users on delete cascade,
    target_url text not null,
    forwarding_type text not null check (forwarding_type in ('redirect', 'stealth')),
    -- Of a redirect, and of a stealth forward that acts as one.
    status_code smallint not null default 301 check (status_code in (301, 302, 307, 308)),
    title text, description text, keywords text, -- of a stealth forward
    forward_path boolean not null default true, forward_query boolean not null default true,
    is_active boolean not null default true,
    -- Since when requests are sent to this target: browsers keep a new 301 only for a short time.
    target_set_at timestamptz not null default now(),
    -- Why a stealth forward acts as a redirect. Null: it shows its target in a frame and uses a flag of the plan.
    fallback text check (fallback in ('frames-refused', 'mixed-content', 'plan')),
    checked_at timestamptz, check_result jsonb,
    -- An administrator has stopped it.
    disabled_at timestamptz, disabled_reason text, disabled_by bigint references users on delete set null,
    created_at timestamptz not null default now(), version integer not null default 1,
    constraint web_forwards_stealth_only
      check (forwarding_type = 'stealth' or (title is null and description is null and keywords is null and fallback is null)),
    constraint web_forwards_disabled check ((disabled_at is null) = (disabled_reason is null))
  );
  create index web_forwards_user on web_forwards (user_id, id);
  -- Each saved target is compared with those of the disabled ones, which are few.
  create index web_forwards_disabled on web_forwards (disabled_at) where disabled_at is not null;
  create index web_forwards_disabled_by on web_forwards (disabled_by) where disabled_by is not null;

  -- True on a domain and on its wildcard while requests for them are forwarded. Kept on the row, so that publishing an
  -- address reads no other table.
  alter table domains add column is_forwarded boolean not null default false;

  -- The addresses of the forwarders (FORWARD_ADDRESSES), which forwarded domains publish instead of their own.
  create table forward_addresses (
    address inet primary key check (masklen(address) = case family(address) when 4 then 32 else 128 end)
  );`

const FEED = `
  -- Lock and clock of the forward feed, one row (see zone_serials). Every transaction locks it after the serials of zones.
  create table forward_serial (
    is_only boolean primary key default true check (is_only),
    serial bigint not null check (serial > 0),
    feed_id uuid not null, token uuid not null, previous_token uuid not null
  ) with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000
  );
  -- From the clock: higher than any serial of an earlier database.
  insert into forward_serial (serial, feed_id, token, previous_token)
  values (extract(epoch from clock_timestamp())::bigint, gen_random_uuid(), gen_random_uuid(), gen_random_uuid());

  -- The state that the feed has announced last. forward null: a registered domain that is not forwarded, below a forwarded
  -- wildcard, which does not apply to it (RFC 4592 §2.2.2).
  create table forward_names (name text primary key, forward jsonb);

  -- Forwards that ended and that forwarders still go on with. An administrator can end this, too.
  create table forward_graces (name text primary key, ends_at timestamptz not null);

  create table forward_changes (
    serial bigint not null, name text not null, forward jsonb,
    -- The name is not in the feed any more.
    is_removed boolean not null,
    -- For a forward that ended: how long the forwarder goes on with it, for clients that keep its address.
    grace_seconds integer not null check (grace_seconds >= 0),
    token uuid not null, previous_token uuid not null,
    changed_at timestamptz not null,
    primary key (serial, name, changed_at)
  ) partition by range (changed_at);
  create table forward_changes_default partition of forward_changes default;

  create view forward_feed as select serial, feed_id, token from forward_serial;
  create view forward_target as select name, forward from forward_names;
  create view forward_change as
    select serial, name, forward, is_removed, grace_seconds, token, previous_token from forward_changes;`

const HITS = `
  create table forward_hits (
    forward_id bigint not null references web_forwards on delete cascade, day date not null,
    hits bigint not null check (hits > 0),
    primary key (forward_id, day)
  );
  create index forward_hits_day on forward_hits (day);

  -- What forwarders wrote, by the ids they gave it: a batch that is sent again adds nothing.
  create table forward_hit_batches (id uuid primary key, received_at timestamptz not null default now());
  create index forward_hit_batches_age on forward_hit_batches (received_at);

  -- Adds counts of requests; those of forwards that were deleted are left out. Gives whether the batch was new.
  create function add_forward_hits(batch uuid, ids bigint[], days date[], hits bigint[]) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
  #variable_conflict use_column
  begin
    insert into forward_hit_batches (id) values (batch) on conflict do nothing;
    if not found then
      return false;
    end if;
    -- Rows are locked in one order, so that batches of two forwarders never wait for each other in a circle.
    insert into forward_hits as h (forward_id, day, hits)
    select c.id, c.day, sum(c.hits)
    from unnest(ids, days, hits) as c(id, day, hits)
    join (select f.id from web_forwards f where f.id = any (ids) order by f.id for key share) as known on known.id = c.id
    group by c.id, c.day
    order by c.id, c.day
    on conflict (forward_id, day) do update set hits = h.hits + excluded.hits;
    return true;
  end
  $$;
  revoke execute on function add_forward_hits from public;`

/** Forwarded domains publish the forwarders' addresses; a family without one is withdrawn. The sub-selects run once a query. */
const forwardedBranch = (type: 'A' | 'AAAA', family: 4 | 6, column: string): string => `
    select zone_id, fqdn as owner, '${type}' as type, ttl,
           case when is_forwarded
             then (select array_agg(host(address) order by address) from forward_addresses where family(address) = ${family})
             else array[host(${column})] end as rdata
      from domains
      where is_active and case when is_forwarded
        then exists (select from forward_addresses where family(address) = ${family}) else ${column} is not null end`

const ownBranch = (type: 'A' | 'AAAA', column: string): string => `
    select zone_id, fqdn as owner, '${type}' as type, ttl, array[host(${column})] as rdata
      from domains where is_active and ${column} is not null`

/** The view of 0003 with other rules for the addresses of domains. Its columns are the same, so rights to it stay. */
const recordView = (ipv4: string, ipv6: string, hasNoAddress: string): string => `
  create or replace view dns_record as ${ipv4}
    union all ${ipv6}
    union all
    select zone_id, fqdn, null, null, null from domains where is_active and ${hasNoAddress}
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
      where r.domain_id is null or d.is_active;`

const FORWARDED_RECORDS = recordView(
  forwardedBranch('A', 4, 'record_ipv4'),
  forwardedBranch('AAAA', 6, 'record_ipv6'),
  `case when is_forwarded then not exists (select from forward_addresses)
                else record_ipv4 is null and record_ipv6 is null end`,
)
const OWN_RECORDS = recordView(
  ownBranch('A', 'record_ipv4'),
  ownBranch('AAAA', 'record_ipv6'),
  'record_ipv4 is null and record_ipv6 is null',
)

const GRANTS = `
  do $$ begin
    if exists (select from pg_roles where rolname = 'homing_forwarder') then
      grant select on forward_feed, forward_target, forward_change to homing_forwarder;
      grant execute on function add_forward_hits to homing_forwarder;
    else
      raise warning 'Without the role homing_forwarder, let a superuser make it and run: grant select on forward_feed, forward_target, forward_change to homing_forwarder; grant execute on function add_forward_hits to homing_forwarder;';
    end if;
  end $$;`

/** Web forwards: what domains forward to, the feed of the forwarders, and the addresses that forwarded domains publish. */
export async function up(knex: Knex): Promise<void> {
  await replaceKinds(knex, KINDS)
  await knex.transaction(async (trx) => {
    for (const step of [TABLES, FEED, FORWARD_STATES, HITS, FORWARDED_RECORDS, GRANTS])
      await trx.raw(step)
  })
}

/** Rights go with the tables and functions. */
export async function down(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(OWN_RECORDS)
    await trx.raw(`
      drop function add_forward_hits, publish_forwards, forward_states;
      drop view forward_state, forward_change, forward_target, forward_feed;
      drop table forward_hit_batches, forward_hits, forward_changes, forward_graces, forward_names, forward_serial, forward_addresses;
      alter table domains drop column is_forwarded;
      drop table web_forwards;
      delete from domain_events where kind not in (${KINDS_BEFORE})`)
  })
  await replaceKinds(knex, KINDS_BEFORE)
}
