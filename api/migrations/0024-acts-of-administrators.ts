import type { Knex } from 'knex'

/** Each index alone: a transaction around all of them would keep writers waiting for the history of a year. */
export const config = { transaction: false }

const INDEX = "(actor_id) where actor = 'administrator'"

/**
 * What administrators did to names, found by who it was: for an administrator's account that goes. Of all history it is
 * a handful of rows, so that updates of addresses pay nothing.
 */
export async function up(knex: Knex): Promise<void> {
  // Months that are over have no writers; so those of the present wait for its own index alone. The last statement takes
  // the indexes that are there as its parts.
  const { rows: partitions } = await knex.raw<{ rows: { name: string }[] }>(
    `select i.inhrelid::regclass::text as name from pg_inherits i
     where i.inhparent = 'domain_events'::regclass order by 1`,
  )
  for (const { name } of partitions) {
    await knex.raw(`create index if not exists ${name}_administrator on ${name} ${INDEX}`)
  }
  await knex.raw(`create index if not exists domain_events_administrator on domain_events ${INDEX}`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index domain_events_administrator')
}
