/**
 * For every table: its personal data is in the account export and is deleted with the account, or there is a reason why
 * not.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archivedTables } from '../../src/features/account-export/archive-parts.ts'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, openFeedWorld } from '../support/feed-world.ts'

/** Tables that the archive omits, and why. */
const NOT_ARCHIVED: Readonly<Record<string, string>> = {
  autonomous_systems: 'who runs networks: organisations',
  blocked_targets: 'where no web forward may lead, and the administrator who blocked it',
  domain_notices:
    'of which addresses and silences an owner was told; the history of domains has them',
  exchanged_tokens: 'digests of tokens of pipelines, for minutes',
  forward_addresses: 'addresses of the service itself',
  forward_changes:
    'what the forwarders are told: the names and targets that `web_forwards` has, for a day',
  forward_graces: 'names whose forward ended minutes ago',
  forward_hit_batches: 'ids of what forwarders wrote',
  forward_names: 'what the forwarders were told last: what `web_forwards` has',
  forward_serial: 'the clock of the forwarders’ feed',
  invoice_numbers: 'the last number of each year',
  ledger_entries: 'amounts that were paid and paid back, with no account; invoices have them',
  live_queries: 'questions of strangers for watched names, for two minutes',
  live_watches: 'which names a live view shows now, for seconds',
  login_tokens: 'stands for a right password until the second factor is there, for minutes',
  monitor_counts:
    'how many checks a monitor made in five minutes; the intervals of its states have what they found',
  monitor_days: 'the same counts by day',
  monitor_destinations: 'how often an account checked an address in a minute, for minutes',
  monitor_results: 'the last hundred checks, for hours',
  monitor_workers: 'processes of the service itself',
  monitoring: 'whether the service checks at all',
  passkey_challenges: 'what an authenticator is to sign, for minutes',
  payment_duties: 'what remains to be done at a payment provider for a subscription',
  payment_events: 'ids of what payment providers sent; subscriptions have what followed from it',
  provider_prices: 'prices of the service at payment providers',
  query_count_batches: 'ids of what daemons wrote',
  query_facets: 'counts of questions of strangers by type and outcome, until they are added up',
  query_counts: 'counts of questions by the networks of strangers, for minutes',
  queries_1h: 'the same counts as by day, by hour',
  queries_5m: 'the same counts as by day, by five minutes',
  query_roll_up: 'the time up to which queries were added up',
  rate_limits: 'counters under digests, for a day at most',
  schema_migrations: 'the schema itself',
  schema_migrations_lock: 'the schema itself',
  tax_rates: 'rates of tax by country',
  update_call_rings:
    'where the next update call is written, and the time of the last one that was accepted',
  used_refunds: 'keyed digests of accounts and payers that used the money-back guarantee',
  used_captchas: 'digests of puzzles that were solved, for minutes',
  zone_changes: 'what DNS servers are told: the names and addresses that `domains` has, for a day',
  zone_queries_1d: 'counts for whole zones',
  zone_serials: 'clocks of zones',
}

let world: FeedWorld
beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

/** All tables except partitions. A table of another schema has its schema as a prefix. */
async function tables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    world.knex,
    `select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  return rows.map(({ name }) => name)
}

/** Tables of the job library; only `pgboss.job` has personal data. */
const isOfJobs = (name: string) => name.startsWith('pgboss.') && name !== 'pgboss.job'

test('each table is in the archive, or omitted for a reason', async () => {
  const decided = [...archivedTables(), ...Object.keys(NOT_ARCHIVED)]
  const existing = (await tables()).filter((name) => !isOfJobs(name))
  expect(existing.toSorted()).toEqual(decided.toSorted())
})

test('omitted tables refer to no account, except those with short-lived rows', async () => {
  const rows = await query<{ table: string }>(
    world.knex,
    `select distinct table_name as table from information_schema.columns
     where table_schema = 'public' and column_name in ('user_id', 'owner_id', 'email', 'username')`,
  )
  const personal = rows.map(({ table }) => table).filter((table) => table in NOT_ARCHIVED)
  expect(personal.toSorted()).toEqual(['login_tokens', 'monitor_destinations'])
})
