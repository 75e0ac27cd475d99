import type { Knex } from 'knex'

// A price at a provider is replaced when the operator corrects it there, or when two first checkouts create it at the
// same time. Subscriptions keep the former one.
const FORMER_PRICES = `
  alter table provider_prices add column former_ids text[] not null default '{}'`

// A refund that an administrator made for goodwill. Any other refund of the whole latest payment ends the plan.
const GOODWILL = `
  alter table payment_duties add column ends_plan boolean not null default true`

// What refers to a row is looked up when that row is shown or deleted.
const INDEXES = `
  create index ledger_invoice on ledger_entries (invoice_id) where invoice_id is not null;
  create index invoices_corrects on invoices (corrects_id) where corrects_id is not null;
  create index checkouts_party on checkouts (party_id) where party_id is not null;
  create index subscriptions_checkout on subscriptions (checkout_id) where checkout_id is not null`

/** Former prices at the providers, refunds that end no plan, and indexes of what refers to invoices, parties and checkouts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(FORMER_PRICES)
  await knex.raw(GOODWILL)
  await knex.raw(INDEXES)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ledger_invoice, invoices_corrects, checkouts_party, subscriptions_checkout;
    alter table payment_duties drop column ends_plan;
    alter table provider_prices drop column former_ids`)
}
