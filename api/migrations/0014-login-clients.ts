import type { Knex } from 'knex'

/** With what somebody signed in, as that calls itself. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table login_history add column client text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table login_history drop column client')
}
