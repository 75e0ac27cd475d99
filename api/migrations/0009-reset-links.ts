import type { Knex } from 'knex'

/** Links that set a new password. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table mail_links drop constraint mail_links_purpose_check;
    alter table mail_links add constraint mail_links_purpose_check
      check (purpose in ('verify_email', 'reset_password'))`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from mail_links where purpose <> 'verify_email';
    alter table mail_links drop constraint mail_links_purpose_check;
    alter table mail_links add constraint mail_links_purpose_check check (purpose in ('verify_email'))`)
}
