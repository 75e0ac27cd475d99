import type { Knex } from 'knex'

/** The secret that a key had before, good for a while beside the new one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys
      add column rotated_at timestamptz,
      -- A row with it is the former secret of that key: found by its digest as any other, and gone with the key.
      add column replaced_by bigint references api_keys on delete cascade,
      add constraint api_keys_former_check check (replaced_by is null or expires_at is not null);
    -- A key has one former secret at most.
    create unique index api_keys_replaced_by on api_keys (replaced_by) where replaced_by is not null`)
}

/** A former secret must not become a key of its own. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from api_keys where replaced_by is not null;
    alter table api_keys drop column rotated_at, drop column replaced_by`)
}
