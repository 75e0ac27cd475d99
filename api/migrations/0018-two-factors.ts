import type { Knex } from 'knex'

/** Second factors: authenticators, recovery codes, and what stands between a right password and a session. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether signing in takes more than the password: update URLs read it with each request. It follows what the account has.
    alter table users add column has_second_factor boolean not null default false;

    -- When its person last proved who they are. Null: before this was noted, which is long ago.
    alter table sessions add column confirmed_at timestamptz;

    -- An authenticator that shows one-time codes (RFC 6238), one an account.
    create table totp_secrets (
      user_id bigint primary key references users on delete cascade,
      sealed_secret text not null,
      created_at timestamptz not null,
      -- When the first code was right. Null: it was begun and is asked for nowhere.
      confirmed_at timestamptz,
      -- The time step of the last code that was taken: neither it nor an earlier one is taken again.
      last_step bigint
    );

    -- Codes on paper, each good once.
    create table recovery_codes (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      code_digest bytea not null,
      created_at timestamptz not null,
      used_at timestamptz,
      unique (user_id, code_digest)
    );

    -- A password that was right, where a second factor is still to come.
    create table login_tokens (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      token_digest bytea not null unique,
      -- The version of the account's credentials that the password was right for.
      credential_version integer not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index login_tokens_user on login_tokens (user_id, id);
    create index login_tokens_expiry on login_tokens (expires_at)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table login_tokens, recovery_codes, totp_secrets;
    alter table sessions drop column confirmed_at;
    alter table users drop column has_second_factor`)
}
