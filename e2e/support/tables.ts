/** Reads the database directly, without the service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { numberOf } from './storm.ts'

/** The URL of a running stack's embedded PostgreSQL. */
export function embeddedUrl(dataDir: string): string {
  return readFileSync(join(dataDir, 'run', 'database-url'), 'utf8').trim()
}

async function rowsOf<Row extends object>(
  url: string,
  sql: string,
  values: readonly string[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Makes the identity confirmation of a user's latest session one hour older. */
export async function forgetLastConfirmation(url: string, username: string): Promise<void> {
  await rowsOf(
    url,
    `update sessions set confirmed_at = confirmed_at - interval '1 hour'
     where id = (select max(s.id) from sessions s join users u on u.id = s.user_id
                 where u.username = $1)`,
    [username],
  )
}

/** How many entries the log of update calls has for a domain: calls are stored a moment after their answer. */
export async function countCalls(url: string, fqdn: string): Promise<number> {
  const sql = `select count(*)::int from update_calls c join domains d on d.id = c.domain_id where fqdn = $1`
  const [row] = await rowsOf<{ count: number }>(url, sql, [fqdn])
  return row?.count ?? 0
}

/** Stores how often a domain was queried two hours ago, as the worker adds it up: by dimension, value and queries. */
export async function storeQueries(
  url: string,
  fqdn: string,
  counts: readonly (readonly [dimension: string, value: string, queries: number])[],
): Promise<void> {
  const hour = `date_trunc('hour', now() - interval '2 hours', 'UTC')`
  const begins = { '5m': hour, '1h': hour, '1d': `date_trunc('day', ${hour}, 'UTC')` }
  for (const [resolution, begin] of Object.entries(begins)) {
    await rowsOf(
      url,
      `insert into queries_${resolution} (at, domain_id, dimension, value, queries)
       select ${begin}, d.id, c.dimension, c.value, c.queries
       from domains d, jsonb_to_recordset($2) as c(dimension text, value text, queries bigint)
       where d.fqdn = $1`,
      [
        fqdn,
        JSON.stringify(
          counts.map(([dimension, value, queries]) => ({ dimension, value, queries })),
        ),
      ],
    )
  }
}

/** Makes the update calls and the history of a domain older. */
export async function makeCallsOlder(url: string, fqdn: string, minutes: number): Promise<void> {
  const age = `$2 * interval '1 minute'`
  await rowsOf(
    url,
    `with d as (update domains set last_update_at = last_update_at - ${age} where fqdn = $1 returning id),
          r as (update update_call_rings set accepted_at = accepted_at - ${age} where domain_id in (select id from d)),
          e as (update domain_events set happened_at = happened_at - ${age} where domain_id in (select id from d))
     update update_calls set first_at = first_at - ${age}, last_at = last_at - ${age}
     where domain_id in (select id from d)`,
    [fqdn, String(minutes)],
  )
}

interface AddressRow {
  readonly fqdn: string
  readonly ipv4: string | null
  readonly ipv6: string | null
}

/** The serial of the newest change set of a zone, as text. */
export async function publishedSerial(url: string, zone: string): Promise<string | undefined> {
  const rows = await rowsOf<{ name: string; serial: string }>(
    url,
    'select name, serial::text from dns_zone',
  )
  return rows.find(({ name }) => name === zone)?.serial
}

/** The update that each name shows. */
export async function updatesInTables(url: string): Promise<Map<string, number | undefined>> {
  const rows = await rowsOf<AddressRow>(
    url,
    'select fqdn, host(record_ipv4) as ipv4, host(record_ipv6) as ipv6 from domains',
  )
  return new Map(rows.map(({ fqdn, ipv4, ipv6 }) => [fqdn, numberOf(fqdn, ipv4, ipv6)]))
}

/** The updates in each name's history. */
export async function updatesInHistory(url: string): Promise<Map<string, Set<number>>> {
  const rows = await rowsOf<AddressRow>(
    url,
    `select fqdn, host(new_ipv4) as ipv4, host(new_ipv6) as ipv6
     from domain_events where kind = 'address'`,
  )
  const history = new Map<string, Set<number>>()
  for (const { fqdn, ipv4, ipv6 } of rows) {
    const number = numberOf(fqdn, ipv4, ipv6)
    if (number === undefined) continue
    const known = history.get(fqdn)
    if (known === undefined) history.set(fqdn, new Set([number]))
    else known.add(number)
  }
  return history
}

/** The inconsistencies between the tables, the history and the feed, one line each. */
export async function disagreements(url: string): Promise<string[]> {
  const found = await rowsOf<{ what: string }>(
    url,
    `-- The newest line of a name's history is what the name holds.
     select fqdn || ' is not as its history ends' as what
     from domains d
     cross join lateral (
       select new_ipv4, new_ipv6 from domain_events e
       where e.domain_id = d.id and kind = 'address' order by id desc limit 1
     ) as last
     where (last.new_ipv4, last.new_ipv6) is distinct from (d.record_ipv4, d.record_ipv6)
     union all
     -- All change sets applied one after the other give what is published now.
     select owner || ' is not as the feed says'
     from (select distinct on (zone_id, owner) zone_id, owner, rrsets
           from zone_changes order by zone_id, owner, serial desc) as replayed
     where rrsets is distinct from
       (select s.rrsets from owner_states(zone_id, array[owner]) as s)
     union all
     -- Each change set carries the token of the one before: a follower meets no gap.
     select 'the chain is broken at serial ' || serial
     from (select serial, previous_token, lag(token) over (partition by zone_id order by serial) as before
           from (select distinct zone_id, serial, token, previous_token from zone_changes) as sets) as chain
     where before is not null and before <> previous_token`,
  )
  return found.map(({ what }) => what)
}
