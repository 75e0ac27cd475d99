import type { Knex } from 'knex'

/** Steps of its own: checks are validated while updates go on. */
export const config = { transaction: false }

const KINDS_BEFORE = `'created', 'address', 'deleted', 'wildcard_created', 'withheld', 'restored', 'paused', 'resumed',
  'note', 'tags', 'undeleted', 'forward-started', 'forward-changed', 'forward-ended'`
const KINDS = `${KINDS_BEFORE}, 'record-created', 'record-changed', 'record-deleted'`

async function replaceKinds(knex: Knex, kinds: string) {
  await knex.raw(`
    alter table domain_events
      drop constraint if exists domain_events_kind_check,
      add constraint domain_events_kind_check check (kind in (${kinds})) not valid`)
  // A validation does not block writers.
  await knex.raw('alter table domain_events validate constraint domain_events_kind_check')
}

const RECORDS = `
  alter table records
    -- The account whose record it is. Null: the service's own, or imported by the operator.
    add column user_id bigint references users on delete restrict,
    add column created_at timestamptz not null default now(),
    add column version integer not null default 1,
    add constraint records_of_user check ((origin = 'user') = (user_id is not null));
  create index records_user on records (user_id, id) where user_id is not null;
  -- "Which records lie below this name?" as for domains. Zone files, which can have a million records, are left out.
  create index records_reversed_owner on records (zone_id, reverse(owner) text_pattern_ops) where user_id is not null;

  alter table plans
    add column record_limit integer not null default 0 check (record_limit between 0 and 10000),
    -- txt: values of TXT records are counted, and other types refused. all: RRsets are counted.
    add column record_types text not null default 'all' check (record_types in ('txt', 'all'));
  update plans set record_limit = 10, record_types = 'txt' where account_type = 'free';
  update plans set record_limit = 1000 where account_type = 'pro';
  update plans set record_limit = 10000 where account_type in ('elite', 'admin');
  update plans set abilities = array_append(abilities, 'vanity_ns')
    where account_type = 'admin' and 'vanity_ns' <> all (abilities);`

// An import of records publishes 10,000 owners in the transaction that inserts them. PostgreSQL plans for the table as it
// was before, and a small table it would read as a whole for each owner.
const LOOK_UPS = 'alter function publish_owners(bigint, text[], text[]) set enable_seqscan = off'
const LOOK_UPS_BEFORE = 'alter function publish_owners(bigint, text[], text[]) reset enable_seqscan'

const ZONES = `
  -- The wish of an account to have its own domain served. Any number of accounts can claim a domain; one can prove it.
  create table zone_claims (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    name text not null check (name = lower(name) and name not like '%.'),
    -- One label of a host name: the value of the TXT record, and the first label of the third name server.
    token text not null unique,
    state text not null default 'pending' check (state in ('pending', 'active', 'withheld', 'lost', 'expired')),
    -- It has the account's vanity name servers in it (ns1 and ns2).
    is_vanity boolean not null default false,
    -- Its name servers are the vanity name servers of the account.
    uses_vanity boolean not null default false,
    proof text check (proof in ('delegation', 'txt', 'ns')),
    -- Whether the parent zone delegated the domain to us before this claim. Null: not examined yet.
    was_delegated boolean,
    claimed_at timestamptz not null default now(),
    expires_at timestamptz,
    active_at timestamptz,
    -- The plan stopped including own zones: the zone is served until then, and withheld after it.
    withheld_at timestamptz,
    -- Why and when the claim ended: another proof, or its time.
    ended_at timestamptz,
    last_check jsonb, checked_at timestamptz, next_check_at timestamptz,
    -- Checks in a row that did not find the delegation right.
    failed_checks integer not null default 0,
    -- Since when the delegation is right; null: it never was, or it broke.
    verified_at timestamptz,
    -- What the owner was notified of last about the delegation, so that a mail is sent once.
    notified text check (notified in ('verified', 'broken')),
    -- The last reminder before the zone is withheld, in days before it; 0: it was withheld. Null: there was none.
    reminded_days smallint,
    -- Records and domains of a zone that another account's proof withdrew.
    kept jsonb,
    version integer not null default 1,
    constraint zone_claims_proof check ((state in ('active', 'withheld')) <= (proof is not null))
  );
  create unique index zone_claims_own on zone_claims (user_id, name) where state <> 'expired' and state <> 'lost';
  create unique index zone_claims_proved on zone_claims (name) where state in ('active', 'withheld');
  create unique index zone_claims_vanity on zone_claims (user_id) where is_vanity and state <> 'expired' and state <> 'lost';
  create index zone_claims_user on zone_claims (user_id, id);
  create index zone_claims_name on zone_claims (name);
  create index zone_claims_due on zone_claims (next_check_at) where next_check_at is not null;

  alter table zones
    -- A user's zone. Without an owner_id it is neutral: it has SOA, NS and glue, and nobody has proved the domain.
    add column is_own boolean not null default false,
    -- False: dnsd does not serve the zone (withheld).
    add column is_served boolean not null default true,
    add constraint zones_owner check (owner_id is null or is_own);
  create index zones_owner on zones (owner_id) where owner_id is not null;

  create table zone_events (
    id bigint generated always as identity primary key,
    happened_at timestamptz not null default now(),
    claim_id bigint not null references zone_claims on delete cascade,
    user_id bigint not null references users on delete cascade,
    kind text not null check (kind in ('record-created', 'record-changed', 'record-deleted')),
    actor text not null, actor_id bigint, source_ip inet, client text,
    detail jsonb not null,
    undoes bigint
  );
  create index zone_events_claim on zone_events (claim_id, id);
  create index zone_events_time on zone_events (happened_at);`

const zoneView = (condition: string) => `
  create or replace view dns_zone as
    select z.id as zone_id, z.name, s.serial, s.feed_id, s.token,
           z.soa_mname, z.soa_rname, z.soa_refresh, z.soa_retry, z.soa_expire, z.soa_minimum, z.soa_ttl
    from zones z join zone_serials s on s.zone_id = z.id ${condition};`

/** Users' records, claims of domains, and users' own zones. */
export async function up(knex: Knex): Promise<void> {
  await replaceKinds(knex, KINDS)
  await knex.transaction(async (trx) => {
    for (const step of [RECORDS, LOOK_UPS, ZONES, zoneView('where z.is_served')])
      await trx.raw(step)
  })
}

/** Users' records, claims and own zones are deleted. */
export async function down(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(zoneView(''))
    await trx.raw(LOOK_UPS_BEFORE)
    await trx.raw(`
      drop table zone_events, zone_claims;
      delete from records where origin = 'user';
      alter table records drop constraint records_of_user, drop column user_id, drop column created_at, drop column version;
      alter table plans drop column record_limit, drop column record_types;
      alter table zones drop constraint zones_owner, drop column is_own, drop column is_served;
      delete from domain_events where kind in ('record-created', 'record-changed', 'record-deleted')`)
  })
  await replaceKinds(knex, KINDS_BEFORE)
}
