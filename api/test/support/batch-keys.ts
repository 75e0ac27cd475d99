/** API keys for tests of batches. */
import { digestOf, newSecret } from '../../src/rules/secrets.ts'
import { query } from '../../src/database/sql.ts'
import type { ApiWorld } from './api-world.ts'
import { bearer } from './calls.ts'

/** The headers of a new key of an account, with this scope. */
export async function newKey(
  { knex, services }: ApiWorld,
  userId: string,
  scope: { readonly domains?: string[]; readonly actions?: string[] },
): Promise<{ authorization: string }> {
  const key = newSecret('api_key', services.randomBytes)
  const whole = { domains: null, actions: null, record_types: null, networks: null, ...scope }
  await query(
    knex,
    `insert into api_keys (user_id, name, prefix, secret_digest, scope) values (?, 'batch', ?, decode(?, 'hex'), ?)`,
    [userId, key.slice(0, 10), digestOf(key), JSON.stringify(whole)],
  )
  return bearer(key)
}
