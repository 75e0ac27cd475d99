import type { Knex } from 'knex'

/** When the password and the email address of an account were changed last. Null: never, or before this was recorded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column password_changed_at timestamptz,
      add column email_changed_at timestamptz`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      drop column password_changed_at,
      drop column email_changed_at`)
}
