import type { Knex } from 'knex'

/** Plans, accounts, their sessions, mail links and keys. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What an account type may do. These numbers and prices are those of the start; an administrator may edit them.
    create table plans (
      account_type text primary key,
      position smallint not null unique,
      domain_limit integer not null check (domain_limit >= 0),
      ttl_seconds integer not null check (ttl_seconds between 1 and 604800),
      stealth_flag_limit integer not null check (stealth_flag_limit >= 0),
      abilities text[] not null default '{}' check (abilities <@ array[
        'api_keys', 'wildcard', 'analytics', 'uptime', 'web_forward', 'vanity_ns', 'data_export'
      ]),
      price_month_cents integer check (price_month_cents >= 0),
      price_year_cents integer check (price_year_cents >= 0),
      currency text not null default 'USD'
    );

    insert into plans (account_type, position, domain_limit, ttl_seconds, stealth_flag_limit, abilities, price_month_cents, price_year_cents) values
      ('disabled', 0, 0, 3600, 0, '{}', null, null),
      ('free', 1, 5, 3600, 0, '{}', 0, 0),
      ('pro', 2, 100, 60, 10, '{api_keys,wildcard,analytics,uptime,web_forward}', 1000, 11000),
      ('elite', 3, 500, 60, 50, '{api_keys,wildcard,analytics,uptime,web_forward,vanity_ns,data_export}', 2500, 27500),
      ('admin', 4, 1000, 60, 50, '{api_keys,wildcard,analytics,uptime,web_forward}', null, null);

    create table users (
      id bigint generated always as identity primary key,
      username text not null,
      email text not null,
      password_hash text not null,
      given_name text,
      surname text,
      account_type text not null default 'free' references plans,
      enabled boolean not null default true,
      email_verified_at timestamptz,
      -- Raised by everything that must end remembered credentials: password, ban, disabling, administrator on or off.
      credential_version integer not null default 1,
      created_at timestamptz not null default now(),
      account_create_cc text,
      last_login timestamptz,
      last_login_ip inet,
      last_login_cc text
    );
    create unique index users_username_key on users (lower(username));
    create unique index users_email_key on users (lower(email));
    create index users_account_type on users (account_type, id);

    create table sessions (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      token_digest bytea not null unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ip inet,
      user_agent text
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    -- Links sent by mail: single use, expiring, only their digest is kept.
    create table mail_links (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      purpose text not null check (purpose in ('verify_email')),
      email text not null,
      token_digest bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index mail_links_user on mail_links (user_id, purpose);

    create table api_keys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 50),
      prefix text not null,
      secret_digest bytea not null unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index api_keys_user on api_keys (user_id, id);

    -- Counters of rate-limiter-flexible (sign-up, login lock-out, update throttle): they survive a restart and span replicas.
    create table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits, api_keys, mail_links, sessions, users, plans')
}
