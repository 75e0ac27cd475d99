import type { Knex } from 'knex'

/** Sign-ins of each account, and those that failed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table login_history (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      at timestamptz not null,
      ip inet not null,
      cc text check (cc ~ '^[A-Z]{2}$'),
      success boolean not null
    );
    create index login_history_user on login_history (user_id, at, id);
    create index login_history_age on login_history (at)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table login_history')
}
