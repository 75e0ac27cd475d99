import type { Knex } from 'knex'

const PURPOSES = (...purposes: string[]) => `
  alter table mail_links drop constraint mail_links_purpose_check;
  alter table mail_links add constraint mail_links_purpose_check
    check (purpose in (${purposes.map((purpose) => `'${purpose}'`).join(', ')}))`

/** Links that confirm another email address: one to the present address, one to the new one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(PURPOSES('verify_email', 'reset_password', 'change_email_old', 'change_email_new'))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from mail_links where purpose in ('change_email_old', 'change_email_new');
    ${PURPOSES('verify_email', 'reset_password')}`)
}
