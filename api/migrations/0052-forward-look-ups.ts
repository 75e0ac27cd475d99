import type { Knex } from 'knex'
import { ASKED_STATES, publishForwards } from './parts/0041-forward-states.ts'

// Finds at least what the view forward_state has: a forwarded domain is active and has the flag, and a name that stops a
// wildcard lies below it. Names of one batch have few parents, so the wildcards above them are looked up once.
const LOOK_UPS = `
  select from domains d where d.fqdn = any (concerned) and d.is_active and d.is_forwarded
  union all
  select from (
    select distinct unnest(wildcards_above('-.' || parent)) as name
    from (select distinct substr(n, strpos(n, '.') + 1) as parent from unnest(concerned) as n) as p
  ) as above
  join domains w on w.fqdn = above.name and w.is_wildcard and w.is_active and w.is_forwarded`

/**
 * Most published names have nothing to do with forwards. The question whether they do had a query for each name, under the
 * serial of the zone: half of the time that a batch of 500 names held it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(publishForwards('create or replace', LOOK_UPS))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(publishForwards('create or replace', ASKED_STATES))
}
