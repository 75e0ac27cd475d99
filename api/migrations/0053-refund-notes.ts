import type { Knex } from 'knex'

/** Why an administrator refunds a payment is kept with the duty, until the refund is in the ledger. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payment_duties add column note text;
    create index payment_duties_subscription on payment_duties (subscription_id)`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop index payment_duties_subscription; alter table payment_duties drop column note',
  )
}
