import type { Knex } from 'knex'

/** How somebody signed in, or tried to. Null: before that was noted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table login_history add column method text check (
      method in ('password', 'password_totp', 'password_recovery_code', 'password_passkey', 'passkey'))`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table login_history drop column method')
}
