import type { Knex } from 'knex'

/** Repositories by their ids: a name can be somebody else's one day, an id cannot. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table trust_policies
      -- Of a policy that names a repository and no ids: those of the first pipeline that fits it.
      add column repository_id text,
      add column repository_owner_id text,
      drop constraint trust_policies_check,
      add constraint trust_policies_check
        check (repository is not null or repository_id is not null or subject is not null)`)
}

/** Without the column, a policy that has only an id would match no repository. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from trust_policies where repository is null and subject is null;
    alter table trust_policies
      drop constraint trust_policies_check,
      drop column repository_id,
      drop column repository_owner_id,
      add constraint trust_policies_check check (repository is not null or subject is not null)`)
}
