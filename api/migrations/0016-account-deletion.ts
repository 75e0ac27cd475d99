import type { Knex } from 'knex'

/** Accounts whose owner wants them gone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- From when on nothing brings the account back. Signing in before takes it away.
    alter table users add column deletion_due_at timestamptz;
    create index users_deletion on users (deletion_due_at) where deletion_due_at is not null;

    -- A name of an account that is gone is kept for nobody, so that no stranger takes over what others still trust.
    alter table name_reservations alter column user_id drop not null;
    alter table name_reservations drop constraint name_reservations_user_id_fkey;
    alter table name_reservations add constraint name_reservations_user_id_fkey
      foreign key (user_id) references users on delete set null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from name_reservations where user_id is null;
    alter table name_reservations drop constraint name_reservations_user_id_fkey;
    alter table name_reservations add constraint name_reservations_user_id_fkey
      foreign key (user_id) references users on delete cascade;
    alter table name_reservations alter column user_id set not null;
    alter table users drop column deletion_due_at`)
}
