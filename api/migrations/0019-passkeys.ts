import type { Knex } from 'knex'

/** Passkeys (WebAuthn), and the questions that authenticators are asked to sign. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      -- What authenticators know the account by: random, so that it tells nothing, and never another.
      add column passkey_handle bytea unique check (length(passkey_handle) = 32);

    create table passkeys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 50),
      credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
      -- COSE_Key (RFC 9052 section 7).
      public_key bytea not null,
      -- How often the authenticator has signed; 0 for ever where it does not count.
      sign_count bigint not null check (sign_count >= 0),
      transports text[] not null,
      -- The model of the authenticator, where it says so.
      aaguid uuid,
      -- Whether it can be on several devices, which never changes, and whether it is.
      is_synced boolean not null,
      is_backed_up boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id, id);

    -- Each is taken once, by its digest, and only for what and by whom it was made.
    create table passkey_challenges (
      digest bytea primary key,
      purpose text not null check (purpose in ('register', 'sign_in', 'second_factor', 'confirm')),
      session_id bigint references sessions on delete cascade,
      -- SHA-256 of the token that stands for a right password.
      login_digest bytea,
      expires_at timestamptz not null,
      check ((session_id is not null) = (purpose in ('register', 'confirm'))),
      check ((login_digest is not null) = (purpose = 'second_factor'))
    );
    create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;
    create index passkey_challenges_login on passkey_challenges (login_digest) where login_digest is not null;
    create index passkey_challenges_expiry on passkey_challenges (expires_at)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table passkey_challenges, passkeys;
    alter table users drop column passkey_handle`)
}
