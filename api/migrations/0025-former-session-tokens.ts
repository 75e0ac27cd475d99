import type { Knex } from 'knex'

/** The token that a session had before its person proved afresh who they are: for calls that were under way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sessions
      add column former_digest bytea,
      add column former_until timestamptz,
      -- The proof that it had; that of the session's present token is not for it.
      add column former_confirmed_at timestamptz,
      add constraint sessions_former_check check ((former_digest is null) = (former_until is null));
    create unique index sessions_former on sessions (former_digest) where former_digest is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sessions
      drop column former_digest,
      drop column former_until,
      drop column former_confirmed_at`)
}
