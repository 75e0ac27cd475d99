/**
 * What works beside the password: API keys, update tokens, trusted pipelines and passkeys. Another password leaves them
 * as they are, because routers and pipelines would stop; so its owner is shown them, and can revoke all of them at once.
 */
import type { WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../sql.ts'
import { KEY_END } from './api-key.ts'

// A key of a plan without API keys is refused today and works again with another plan, so it counts. The former secret of
// a rotated key and the keys of a pipeline belong to what they came from.
const COUNT = `
  select (select count(*)::int from api_keys k
          where k.user_id = u.id and k.replaced_by is null and k.policy_id is null
            and coalesce(${KEY_END} > ?, true)) as api_keys,
         (select count(*)::int from update_tokens t join domains d on d.id = t.domain_id
          where d.user_id = u.id) as update_tokens,
         (select count(*)::int from trust_policies t where t.user_id = u.id) as trust_policies,
         (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys
  from users u where u.id = ?`

/** How many credentials of each kind an account has that have not expired. */
export async function countWorkingCredentials(
  knex: Knex,
  userId: string,
  now: Date,
): Promise<WorkingCredentials> {
  const [counts] = await query<WorkingCredentials>(knex, COUNT, [now, userId])
  return counts ?? { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
}

const REVOKE = [
  'delete from api_keys where user_id = ?',
  // Keys that pipelines got go with their policies.
  'delete from trust_policies where user_id = ?',
  'delete from update_tokens t using domains d where d.id = t.domain_id and d.user_id = ?',
  'delete from passkeys where user_id = ?',
] as const

/**
 * Deletes all of them, expired ones too. What that means for signing in is left to the caller: `factorsChanged` where
 * the second factor was shown, and nothing where it was not, so that signing in still asks for one.
 *
 * @param trx with the account locked
 */
export async function revokeCredentials(trx: Knex.Transaction, userId: string): Promise<void> {
  for (const sql of REVOKE) await query(trx, sql, [userId])
}
