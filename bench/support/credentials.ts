/** The credentials of a benchmark's callers: the account's password, an API key, or each domain's update token. */
import { randomBytes } from 'node:crypto'
import { digestOf, newSecret } from '@homing/api/secrets'
import type { Client } from 'pg'
import { type BenchNames, PASSWORD, USERNAME } from './names.ts'

/** The credentials header of calls for the n-th domain. */
export type Credentials = (n: number) => string

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export function byPassword(): Credentials {
  const header = basic(USERNAME, PASSWORD)
  return () => header
}

async function newKey(client: Client, { userId }: BenchNames): Promise<string> {
  const key = newSecret('api_key', randomBytes)
  await client.query(
    `insert into api_keys (user_id, name, prefix, secret_digest) values ($1, 'bench', 'ak_', decode($2, 'hex'))`,
    [userId, digestOf(key)],
  )
  return key
}

/** Creates an API key of the account. */
export async function byKey(client: Client, names: BenchNames): Promise<Credentials> {
  const header = basic('any', await newKey(client, names))
  return () => header
}

/** Creates a session of the account. */
export async function bySession(client: Client, { userId }: BenchNames): Promise<Credentials> {
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into sessions (user_id, token_digest, created_at, last_used_at, expires_at, ip)
     values ($1, decode($2, 'hex'), now(), now(), now() + interval '1 day', '192.0.2.9')`,
    [userId, digestOf(token)],
  )
  return () => `Bearer ${token}`
}

/** Creates an API key of the account, sent as the API expects it. */
export async function byBearerKey(client: Client, names: BenchNames): Promise<Credentials> {
  const header = `Bearer ${await newKey(client, names)}`
  return () => header
}

/** Creates the update token of every domain. */
export async function byTokens(client: Client, { domainIds }: BenchNames): Promise<Credentials> {
  const tokens = domainIds.map(() => newSecret('update_token', randomBytes))
  await client.query(
    `insert into update_tokens (domain_id, prefix, secret_digest)
     select id, 'ut_', decode(digest, 'hex') from unnest($1::bigint[], $2::text[]) as made(id, digest)`,
    [domainIds, tokens.map(digestOf)],
  )
  await client.query('vacuum analyze update_tokens')
  const headers = tokens.map((token) => basic('any', token))
  return (n) => headers[n] ?? ''
}
