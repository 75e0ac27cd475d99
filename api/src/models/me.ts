import type { Me } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Plan } from './plan.ts'
import { readPrepared } from './prepared.ts'
import { columnsOf, type Row } from './table.ts'
import { User } from './user.ts'

const COLUMNS = [
  'id',
  'username',
  'email',
  'account_type',
  'given_name',
  'surname',
  'email_verified_at',
  'created_at',
  'password_changed_at',
  'email_changed_at',
] as const

type MeRow = Pick<Row<typeof User>, (typeof COLUMNS)[number]> &
  Pick<Row<typeof Plan>, 'domain_limit' | 'ttl_seconds' | 'abilities'> & {
    readonly domain_count: number
  }

/** An account as its owner sees it. */
export async function readMe(knex: Knex, userId: string): Promise<Me> {
  const [row] = await readPrepared<MeRow>(knex, {
    name: 'me',
    build: () =>
      User.query(knex)
        .joinRelated('plan')
        .select(columnsOf(User, COLUMNS), 'plan.domain_limit', 'plan.ttl_seconds', 'plan.abilities')
        .modify('withDomainCount')
        .where('users.id', userId),
    values: [userId],
  })
  if (row === undefined) throw new Error('the account of a session exists')
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    account_type: row.account_type,
    plan: row.account_type,
    given_name: row.given_name,
    surname: row.surname,
    email_verified: row.email_verified_at !== null,
    created_at: row.created_at.toISOString(),
    password_changed_at: row.password_changed_at?.toISOString() ?? null,
    email_changed_at: row.email_changed_at?.toISOString() ?? null,
    limits: {
      domain_limit: row.domain_limit,
      domain_count: row.domain_count,
      ttl: row.ttl_seconds,
      abilities: [...row.abilities],
    },
  }
}
