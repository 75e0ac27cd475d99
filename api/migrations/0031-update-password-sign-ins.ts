import type { Knex } from 'knex'

const METHODS_BEFORE = `'password', 'password_totp', 'password_recovery_code', 'password_passkey', 'passkey'`

const replaceCheck = (methods: string) => `
  alter table login_history
    drop constraint login_history_method_check,
    add constraint login_history_method_check check (method in (${methods}))`

/** The sign-in history also has passwords of accounts that were tried at update URLs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(replaceCheck(`${METHODS_BEFORE}, 'update_password'`))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from login_history where method = 'update_password'`)
  await knex.raw(replaceCheck(METHODS_BEFORE))
}
