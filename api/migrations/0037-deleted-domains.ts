import type { Knex } from 'knex'

/** Deleted domains that can be restored. They are not in `domains`, so no limit, list, zone or export counts them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deleted_domains (
      id bigint primary key, -- as in domains; a restored domain has it again
      user_id bigint not null references users on delete cascade,
      zone_id bigint not null references zones on delete cascade,
      base_id bigint references deleted_domains on delete cascade, -- the wildcard's base
      fqdn text not null,
      rrtype text not null,
      record_ipv4 inet,
      record_ipv6 inet,
      paused boolean not null,
      note text,
      tags text[] not null,
      version integer not null,
      last_update_at timestamptz,
      allowance_full_at timestamptz,
      created_at timestamptz not null,
      created_cc text,
      -- The update token, which works again with the domain. Null: it had none, or its owner has revoked it since.
      token_prefix text,
      token_digest bytea,
      token_created_at timestamptz,
      token_last_used_at timestamptz,
      token_last_used_ip inet,
      token_last_client text,
      deleted_at timestamptz not null default now()
    );
    create index deleted_domains_user on deleted_domains (user_id, id);
    create index deleted_domains_age on deleted_domains (deleted_at);
    create index deleted_domains_base on deleted_domains (base_id) where base_id is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table deleted_domains')
}
