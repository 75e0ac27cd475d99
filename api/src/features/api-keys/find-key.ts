import type { Knex } from 'knex'
import { select } from '../../sql.ts'
import { API_KEYS, type ApiKeyRow } from './api-key-row.ts'

/** A key of an account; a former secret is none of its own. */
export async function findApiKey(
  db: Knex,
  userId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await select<ApiKeyRow>(db, API_KEYS, [
    ['k.id = ? and k.user_id = ? and k.replaced_by is null and k.policy_id is null', id, userId],
  ])
  return row
}
