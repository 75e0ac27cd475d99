import type { Knex } from 'knex'

/** Plans that administrators change: which state one saw, and since when it holds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table plans
      add column version integer not null default 1,
      add column updated_at timestamptz -- null: it is as it was at the start`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table plans drop column version, drop column updated_at')
}
