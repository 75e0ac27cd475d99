import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** A session, and the digest of the token that was used. */
export interface UsedSession {
  readonly sessionId: string
  readonly tokenDigest: string
}

// A session whose token was replaced is used with its former one only for as long as that is valid.
const ENDED = `
  select o.n from unnest(?::int[], ?::bigint[], ?::text[]) as o(n, id, digest)
  where not exists (
    select from sessions s join users u on u.id = s.user_id
    where s.id = o.id and s.expires_at > ? and u.enabled and u.account_type <> 'disabled'
      and (s.token_digest = decode(o.digest, 'hex')
        or (s.former_digest = decode(o.digest, 'hex') and s.former_until > ?)))`

/** Those of some sessions with which no call would be accepted any more: one query for all. */
export async function endedSessions<Used extends UsedSession>(
  knex: Knex,
  used: readonly Used[],
  now: Date,
): Promise<Used[]> {
  if (used.length === 0) return []
  const values = [
    used.map((_, n) => n),
    used.map(({ sessionId }) => sessionId),
    used.map(({ tokenDigest }) => tokenDigest),
    now,
    now,
  ]
  const rows = await query<{ n: number }>(knex, ENDED, values, 'ended-sessions')
  return rows.flatMap(({ n }) => used[n] ?? [])
}
