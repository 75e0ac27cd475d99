import type { Knex } from 'knex'

/** Notices on the screens that owners of accounts dismissed. Notices themselves are derived from other tables. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notice_dismissals (
      user_id bigint not null references users on delete cascade,
      kind text not null,
      -- The notice is hidden until its cause occurs again, after this time.
      occurred_at timestamptz not null,
      dismissed_at timestamptz not null,
      primary key (user_id, kind)
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table notice_dismissals')
}
