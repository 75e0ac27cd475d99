import type { Knex } from 'knex'

/** Names that were given back: their history is found by them, for who asks what is held about them and for who wants it gone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Kept as long as the history is, which has no index on whose it is: that would be written at every update.
    create table former_domains (
      domain_id bigint primary key,
      user_id bigint not null references users on delete cascade,
      fqdn text not null,
      deleted_at timestamptz not null
    );
    create index former_domains_user on former_domains (user_id, domain_id);
    create index former_domains_age on former_domains (deleted_at);

    insert into former_domains (domain_id, user_id, fqdn, deleted_at)
    select distinct on (e.domain_id) e.domain_id, e.user_id, e.fqdn, e.happened_at
    from domain_events e join users u on u.id = e.user_id
    where e.kind = 'deleted' and not exists (select from domains d where d.id = e.domain_id)
    order by e.domain_id, e.happened_at desc`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table former_domains')
}
