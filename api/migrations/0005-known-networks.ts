import type { Knex } from 'knex'

/** Networks from which an account's right password came: its owner is let in there while strangers guess elsewhere. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table known_networks (
      user_id bigint not null references users on delete cascade,
      network text not null,
      seen_at timestamptz not null,
      primary key (user_id, network)
    );
    create index known_networks_seen_at on known_networks (seen_at);

    -- An address is somebody's once it is verified. Until then several may claim it, so that registering does not
    -- tell whether it is taken, and so that claiming it does not keep its owner out.
    drop index users_email_key;
    create unique index users_email_key on users (lower(email)) where email_verified_at is not null;
    create index users_email on users (lower(email), id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index users_email, users_email_key;
    create unique index users_email_key on users (lower(email));
    drop table known_networks`)
}
