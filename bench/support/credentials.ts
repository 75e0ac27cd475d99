/** What callers of a benchmark show: the account's password, an API key, or each name's update token. */
import { randomBytes } from 'node:crypto'
import { digestOf, newSecret } from '@homing/api/secrets'
import type { Client } from 'pg'
import { type BenchNames, PASSWORD, USERNAME } from './names.ts'

/** The header that calls for the n-th name carry. */
export type Credentials = (n: number) => string

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export function byPassword(): Credentials {
  const header = basic(USERNAME, PASSWORD)
  return () => header
}

/** Makes an API key of the account. */
export async function byKey(client: Client, { userId }: BenchNames): Promise<Credentials> {
  const key = newSecret('api_key', randomBytes)
  await client.query(
    `insert into api_keys (user_id, name, prefix, secret_digest) values ($1, 'bench', 'ak_', decode($2, 'hex'))`,
    [userId, digestOf(key)],
  )
  const header = basic('any', key)
  return () => header
}

/** Makes the update token of every name. */
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
