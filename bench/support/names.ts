/** Domains for a benchmark: one account with many domains, inserted directly into the tables. */
import { hash } from '@node-rs/argon2'
import type { Client } from 'pg'

const ZONE = 'bench.test'
export const USERNAME = 'bench'
export const PASSWORD = 'a password for benchmarks'

export interface BenchNames {
  readonly userId: string
  readonly zoneId: string
  readonly domainIds: readonly string[]
  readonly fqdns: readonly string[]
}

/** Creates an account without limits. */
export async function insertAccount(client: Client, username = USERNAME): Promise<string> {
  const user = await client.query<{ id: string }>(
    `insert into users (username, email, password_hash, account_type, email_verified_at)
     values ($1, $1 || '@bench.test', $2, 'admin', now()) returning id`,
    [username, await hash(PASSWORD)],
  )
  return user.rows[0]?.id ?? ''
}

/** Creates `count` domains n0, n1, … of an account in a zone, with the address 192.0.2.1, unpublished. */
export async function insertDomains(
  client: Client,
  place: { readonly userId: string; readonly zoneId: string; readonly zone: string },
  count: number,
): Promise<{ readonly domainIds: readonly string[]; readonly fqdns: readonly string[] }> {
  const { rows } = await client.query<{ id: string; fqdn: string }>(
    `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl)
     select $1, $2, 'n' || n || '.' || $3, 'A', '192.0.2.1', 60 from generate_series(0, $4 - 1) n
     returning id, fqdn`,
    [place.userId, place.zoneId, place.zone, count],
  )
  await client.query('vacuum analyze domains')
  return { domainIds: rows.map(({ id }) => id), fqdns: rows.map(({ fqdn }) => fqdn) }
}

/** Creates a zone, an account without limits and `count` domains n0, n1, … with the address 192.0.2.1. */
export async function insertNames(client: Client, count: number): Promise<BenchNames> {
  const zone = await client.query<{ id: string }>(
    `insert into zones (name, soa_mname, soa_rname) values ($1, 'ns1.' || $1, 'hostmaster.' || $1) returning id`,
    [ZONE],
  )
  const zoneId = zone.rows[0]?.id ?? ''
  await client.query(
    `insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
     values ($1, 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`,
    [zoneId],
  )
  const userId = await insertAccount(client)
  const domains = await insertDomains(client, { userId, zoneId, zone: ZONE }, count)
  return { userId, zoneId, ...domains }
}

/** The n-th of about 16 million addresses. A domain that gets consecutive ones changes each time. */
export const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
