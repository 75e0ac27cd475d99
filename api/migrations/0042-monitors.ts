import type { Knex } from 'knex'

const TABLES = `
  -- The shortest interval of monitors, for plans with the ability uptime.
  alter table plans add column monitor_interval integer not null default 60 check (monitor_interval > 0);
  update plans set monitor_interval = 30 where account_type in ('elite', 'admin');

  -- An administrator has paused all monitors of the account.
  alter table users
    add column monitoring_paused_at timestamptz, add column monitoring_pause_reason text,
    add constraint users_monitoring_pause check ((monitoring_paused_at is null) = (monitoring_pause_reason is null));

  -- Whether all monitors are paused, one row.
  create table monitoring (
    is_only boolean primary key default true check (is_only),
    paused_at timestamptz, pause_reason text,
    check ((paused_at is null) = (pause_reason is null))
  );
  insert into monitoring default values;

  -- What a domain's owner wants to be checked, and what is known about it. The schedule is a table of its own, because
  -- it is written at every check.
  create table monitors (
    id bigint generated always as identity primary key,
    domain_id bigint not null unique references domains on delete cascade,
    user_id bigint not null references users on delete cascade,
    is_enabled boolean not null default true,
    -- Null: not found or chosen yet.
    kind text check (kind in ('https', 'http', 'tcp', 'dns', 'heartbeat')),
    port integer check (port between 1 and 65535),
    path text not null default '/',
    expected_status text not null default '200-399',
    follows_redirects boolean not null default true,
    body_text text,
    address_family text not null default 'auto' check (address_family in ('auto', 'ipv4', 'ipv6')),
    certificate_warning_days integer default 14 check (certificate_warning_days between 1 and 60),
    interval_seconds integer not null check (interval_seconds > 0),
    confirmations integer not null default 2 check (confirmations between 1 and 5),
    recoveries integer not null default 1 check (recoveries between 1 and 5),
    heartbeat_source text not null default 'url' check (heartbeat_source in ('url', 'updates')),
    heartbeat_period_seconds integer not null default 300,
    heartbeat_grace_seconds integer not null default 60,
    -- SHA-256.
    heartbeat_token_hash bytea unique,
    notifies_down boolean not null default true, notifies_up boolean not null default true,
    state text not null default 'pending'
      check (state in ('off', 'pending', 'undecided', 'up', 'down', 'unknown', 'maintenance', 'stopped')),
    state_since timestamptz not null default now(),
    stopped_by text check (stopped_by in ('plan', 'administrator', 'withheld')),
    cause text, cause_text text, -- of down and unknown
    certificate_expires_at timestamptz,
    -- The expiry for which the owner was warned.
    certificate_warned_for timestamptz,
    created_at timestamptz not null default now(), version integer not null default 1,
    constraint monitors_stopped check ((state = 'stopped') = (stopped_by is not null))
  );
  create index monitors_user on monitors (user_id, id);
  create index monitors_maintenance on monitors (id) where state = 'maintenance';

  -- When each monitor is checked next, and what every check changes.
  create table monitor_schedule (
    monitor_id bigint primary key references monitors on delete cascade,
    -- Null: the monitor does not run, or is in maintenance.
    due_at timestamptz(3),
    -- The worker that checks it now, until then. A worker that ends leaves it to the others.
    leased_until timestamptz, lease uuid,
    -- The next result is expected by then. A later one means that nobody checked.
    expected_by timestamptz(3),
    -- Checks in a row that do not agree with the state, and the time of the first of them.
    streak smallint not null default 0, streak_since timestamptz(3),
    last_check_at timestamptz(3), last_latency_ms integer,
    -- When it began to run, or went on after maintenance: a heartbeat is not missed before.
    started_at timestamptz,
    last_heartbeat_at timestamptz,
    -- Number of checks so far, which is the place of the next result.
    checks bigint not null default 0,
    constraint monitor_schedule_expected check ((due_at is null) = (expected_by is null))
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  create index monitor_schedule_due on monitor_schedule (due_at) where due_at is not null;

  -- The states of each monitor, one after another. They are the only source of percentages and incidents. Times are whole
  -- milliseconds.
  create table monitor_intervals (
    id bigint generated always as identity primary key,
    monitor_id bigint not null references monitors on delete cascade,
    state text not null check (state in ('up', 'down', 'unknown', 'maintenance', 'off')),
    since timestamptz(3) not null, until timestamptz(3), check (until >= since),
    cause text, cause_text text,
    -- The time in each state before this interval: the time between two moments is the difference of two sums.
    up_ms_before bigint not null, down_ms_before bigint not null,
    unknown_ms_before bigint not null, maintenance_ms_before bigint not null,
    -- The worker that found it, and when; its begin can be earlier.
    worker text, found_at timestamptz not null default clock_timestamp()
  );
  create unique index monitor_intervals_present on monitor_intervals (monitor_id) where until is null;
  create index monitor_intervals_since on monitor_intervals (monitor_id, since);
  create index monitor_intervals_until on monitor_intervals (until) where until is not null;

  -- Counts of five minutes. Partitioned by day, and without a reference to the monitor, so that deleting a monitor
  -- deletes few rows. What remains belongs to an id that no longer exists.
  create table monitor_counts (
    monitor_id bigint not null, starts_at timestamptz not null,
    checks integer not null, failures integer not null,
    -- Of the successful checks.
    latency_sum_ms bigint not null,
    primary key (monitor_id, starts_at)
  ) partition by range (starts_at);
  create table monitor_counts_default partition of monitor_counts default;

  -- Counts of whole past days (UTC). The time in each state comes from the intervals, for every length of time.
  create table monitor_days (
    monitor_id bigint not null references monitors on delete cascade, day date not null,
    checks integer not null, failures integer not null, latency_sum_ms bigint not null,
    primary key (monitor_id, day)
  );
  create index monitor_days_day on monitor_days (day);

  -- The last 100 results: each replaces the one that is a hundred checks older.
  create table monitor_results (
    monitor_id bigint not null references monitors on delete cascade,
    place smallint not null check (place between 0 and 99),
    at timestamptz not null, kind text not null, is_up boolean not null, address inet,
    latency_ms integer, status smallint, cause text, cause_text text,
    primary key (monitor_id, place)
  ) with (fillfactor = 80);

  create table maintenance_windows (
    id bigint generated always as identity primary key,
    monitor_id bigint not null references monitors on delete cascade,
    starts_at timestamptz not null, ends_at timestamptz not null check (ends_at > starts_at),
    repeats text not null default 'never' check (repeats in ('never', 'daily', 'weekly')),
    time_zone text not null default 'UTC', note text,
    -- The window that is under way or comes next, computed when the one before it ends. Null: it is over.
    next_starts_at timestamptz, next_ends_at timestamptz,
    created_at timestamptz not null default now(),
    constraint maintenance_windows_next check ((next_starts_at is null) = (next_ends_at is null))
  );
  create index maintenance_windows_monitor on maintenance_windows (monitor_id);
  create index maintenance_windows_start on maintenance_windows (next_starts_at) where next_starts_at is not null;

  -- One row for each transition and channel. Delivery is at least once; the Message-ID is the id of the mail's job.
  create table monitor_notifications (
    id bigint generated always as identity primary key,
    monitor_id bigint not null references monitors on delete cascade,
    user_id bigint not null references users on delete cascade,
    message text not null check (message in ('down', 'up', 'certificate', 'test')),
    channel text not null default 'mail' check (channel in ('mail')),
    -- What it is about: the interval, the expiry of the certificate, or the request of a test.
    subject text not null,
    recipient text,
    created_at timestamptz not null default now(),
    -- Not sent before: until then, the checker can find that its own network failed, and messages are gathered.
    due_at timestamptz not null,
    outcome text not null default 'waiting' check (outcome in ('waiting', 'sent', 'merged', 'skipped', 'failed')),
    sent_at timestamptz,
    constraint monitor_notifications_once unique (monitor_id, message, subject, channel)
  );
  create index monitor_notifications_due on monitor_notifications (due_at) where outcome = 'waiting';
  create index monitor_notifications_user on monitor_notifications (user_id);
  create index monitor_notifications_age on monitor_notifications (created_at);

  -- How often an address was checked in a minute, over all accounts. Lost after a crash, which does no harm.
  create unlogged table monitor_destinations (
    address inet not null, minute timestamptz not null, checks integer not null,
    primary key (address, minute)
  );

  create table monitor_workers (
    name text primary key, seen_at timestamptz not null,
    lag_ms integer not null, checks_per_minute integer not null, is_blind boolean not null
  );`

/** Uptime monitoring: settings, schedule, states, counts and notifications. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TABLES)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table monitor_workers, monitor_destinations, monitor_notifications, maintenance_windows, monitor_results,
      monitor_days, monitor_counts, monitor_intervals, monitor_schedule, monitors, monitoring;
    alter table users drop column monitoring_paused_at, drop column monitoring_pause_reason;
    alter table plans drop column monitor_interval;`)
}
