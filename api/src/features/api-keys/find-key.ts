import type { Knex } from 'knex'
import { ApiKey } from '../../models/api-key.ts'
import { columnsOf, type TableQuery } from '../../models/table.ts'
import { type ApiKeyRow, SHOWN } from './api-key-row.ts'

/** The keys of an account, each with its former secret. */
export const ownKeys = (db: Knex, userId: string): TableQuery<ApiKey> =>
  ApiKey.query(db)
    .modify('ownedBy', userId)
    .modify('listed')
    .leftJoinRelated('former')
    .select(
      columnsOf(ApiKey, SHOWN),
      'former.prefix as former_prefix',
      'former.expires_at as former_expires_at',
      'former.last_used_at as former_last_used_at',
      'former.last_used_ip as former_last_used_ip',
      'former.last_client as former_last_client',
    )

/** One key of an account. Former secrets and keys that policies issued are excluded. */
export async function findApiKey(
  db: Knex,
  userId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await ownKeys(db, userId).where('api_keys.id', id).toKnexQuery<ApiKeyRow>()
  return row
}
