import type { Knex } from 'knex'

/** The web forward and the monitor of a deleted domain, which come back with it. Null: it had none. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table deleted_domains add column forward jsonb, add column monitor jsonb')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deleted_domains drop column forward, drop column monitor')
}
