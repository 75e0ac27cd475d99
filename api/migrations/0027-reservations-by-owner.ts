import type { Knex } from 'knex'

/** Reservations are found by whose they are, and by what lies below a name: not by reading all of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index name_reservations_user on name_reservations (user_id, reserved_until) where user_id is not null;
    create index name_reservations_reversed on name_reservations (reverse(fqdn) text_pattern_ops)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index name_reservations_user, name_reservations_reversed')
}
