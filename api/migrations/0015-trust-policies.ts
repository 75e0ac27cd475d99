import type { Knex } from 'knex'

/** Pipelines that are trusted by what their issuer says of them, and keys that they get for minutes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table trust_policies (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 50),
      issuer text not null,
      repository text,
      branch text,
      environment text,
      subject text,
      -- As of keys; null: everything that a key can reach.
      scope jsonb,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      last_used_ip inet,
      last_subject text,
      -- An issuer alone would be everybody who has an account there.
      check (repository is not null or subject is not null)
    );
    create index trust_policies_user on trust_policies (user_id, id);

    -- Tokens that were exchanged, until they expire by themselves: none is exchanged twice.
    create table exchanged_tokens (
      digest bytea primary key,
      expires_at timestamptz not null
    );
    create index exchanged_tokens_expiry on exchanged_tokens (expires_at);

    alter table api_keys
      -- A key that a pipeline got: gone with its policy, and none of the owner's own.
      add column policy_id bigint references trust_policies on delete cascade,
      add constraint api_keys_policy_check check (policy_id is null or expires_at is not null);
    create index api_keys_policy on api_keys (policy_id) where policy_id is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from api_keys where policy_id is not null;
    alter table api_keys drop column policy_id;
    drop table exchanged_tokens, trust_policies`)
}
