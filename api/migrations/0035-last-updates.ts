import type { Knex } from 'knex'

/** The last update that each domain got, changed or not, and the mark of keys whose owners were notified of an end without use. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The last update that was accepted. Calls are deleted and overwritten, so this outlives them.
    alter table update_call_rings add column accepted_at timestamptz;
    update update_call_rings r set accepted_at = (
      select max(c.last_at) from update_calls c
      where c.domain_id = r.domain_id and not c.is_refused and c.answer ~ '^(good|nochg)');

    -- The end without use that the owner was notified of. The other end has expiry_told_for.
    alter table api_keys add column unused_told_for timestamptz;
    update api_keys set unused_told_for = expiry_told_for where expiry_told_for = unused_expires_at`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys drop column unused_told_for;
    alter table update_call_rings drop column accepted_at`)
}
