import type { Knex } from 'knex'

/** Each step alone: the checks of the history are validated while updates go on. */
export const config = { transaction: false }

const KINDS_BEFORE = [
  'created',
  'address',
  'deleted',
  'wildcard_created',
  'withheld',
  'restored',
] as const
const KINDS = [...KINDS_BEFORE, 'paused', 'resumed', 'note', 'tags', 'undeleted'] as const
const ACTORS_BEFORE = [
  'session',
  'api_key',
  'password',
  'update_token',
  'administrator',
  'system',
] as const
const ACTORS = [...ACTORS_BEFORE, 'pipeline'] as const

const oneOf = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')

async function replaceChecks(knex: Knex, kinds: readonly string[], actors: readonly string[]) {
  await knex.raw(`
    alter table domain_events
      drop constraint if exists domain_events_kind_check,
      drop constraint if exists domain_events_actor_check,
      add constraint domain_events_kind_check check (kind in (${oneOf(kinds)})) not valid,
      add constraint domain_events_actor_check check (actor in (${oneOf(actors)})) not valid`)
  // A validation does not block writers. With the constraint, the validation would read all history while updates wait.
  await knex.raw('alter table domain_events validate constraint domain_events_kind_check')
  await knex.raw('alter table domain_events validate constraint domain_events_actor_check')
}

/** Notes and tags of domains, and a history that also has pauses, notes, tags, restored domains and what was undone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table domains
      add column if not exists note text,
      add column if not exists tags text[] not null default '{}';
    alter table domain_events
      -- The old and the new value of a note or of tags.
      add column if not exists detail jsonb,
      -- The event of the same domain that this one undid.
      add column if not exists undoes bigint`)
  await replaceChecks(knex, KINDS, ACTORS)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from domain_events where kind not in (${oneOf(KINDS_BEFORE)});
    update domain_events set actor = 'api_key', actor_id = null where actor = 'pipeline'`)
  await replaceChecks(knex, KINDS_BEFORE, ACTORS_BEFORE)
  await knex.raw(`
    alter table domain_events drop column detail, drop column undoes;
    alter table domains drop column note, drop column tags`)
}
