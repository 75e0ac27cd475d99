import type { Knex } from 'knex'

/** What tells the browser that registered an account from everybody else who opens the link in its mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      -- SHA-256 of the secret that the registering browser has as a cookie. Null once the address is verified, and for
      -- accounts that are older than this column.
      add column registration_digest bytea;
    -- Links of other accounts to an address that has been verified.
    create index mail_links_email on mail_links (lower(email))`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index mail_links_email;
    alter table users drop column registration_digest`)
}
