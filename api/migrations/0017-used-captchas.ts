import type { Knex } from 'knex'

/** CAPTCHAs of the service's own that were solved and shown: each counts once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table used_captchas (
      challenge_digest bytea primary key check (octet_length(challenge_digest) = 32),
      -- When the challenge itself is worth nothing any more, and the row may go.
      expires_at timestamptz not null
    );
    create index used_captchas_expiry on used_captchas (expires_at)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table used_captchas')
}
