import type { Me } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../sql.ts'

interface MeRow {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly account_type: Me['account_type']
  readonly given_name: string | null
  readonly surname: string | null
  readonly is_verified: boolean
  readonly created_at: Date
  readonly domain_limit: number
  readonly ttl_seconds: number
  readonly abilities: string[]
  readonly domain_count: number
}

/** An account as its owner sees it. */
export async function readMe(knex: Knex, userId: string): Promise<Me> {
  const [row] = await query<MeRow>(
    knex,
    `select u.id, u.username, u.email, u.account_type, u.given_name, u.surname, u.created_at,
            u.email_verified_at is not null as is_verified, p.domain_limit, p.ttl_seconds, p.abilities,
            (select count(*)::int from domains d where d.user_id = u.id and not d.is_wildcard) as domain_count
     from users u join plans p on p.account_type = u.account_type where u.id = ?`,
    [userId],
  )
  if (row === undefined) throw new Error('the account of a session exists')
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    account_type: row.account_type,
    plan: row.account_type,
    given_name: row.given_name,
    surname: row.surname,
    email_verified: row.is_verified,
    created_at: row.created_at.toISOString(),
    limits: {
      domain_limit: row.domain_limit,
      domain_count: row.domain_count,
      ttl: row.ttl_seconds,
      abilities: row.abilities,
    },
  }
}
