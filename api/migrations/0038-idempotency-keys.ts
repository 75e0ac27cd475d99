import type { Knex } from 'knex'

/** The responses of calls with an idempotency key, for 24 hours. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_keys (
      user_id bigint not null references users on delete cascade,
      key text not null check (length(key) between 1 and 255),
      operation text not null,
      -- Of the caller, the operation and everything that the call sends.
      request_digest bytea not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      -- Null: the first call is still in progress, or its process ended.
      status smallint,
      -- A JSON object of the headers that differ between responses.
      headers jsonb,
      -- Null with a status: the response has no body, or contains a secret, which is never stored.
      body text,
      created_id text,
      primary key (user_id, key)
    );
    create index idempotency_keys_expiry on idempotency_keys (expires_at)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys')
}
