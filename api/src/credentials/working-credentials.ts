/**
 * What works beside the password: API keys, update tokens, trusted pipelines and passkeys. Another password leaves them
 * as they are, because routers and pipelines would stop; so its owner is shown them, and can revoke all of them at once.
 */
import type { WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { ApiKey } from '../models/api-key.ts'
import { Passkey } from '../models/passkey.ts'
import { TrustPolicy } from '../models/trust-policy.ts'
import { UpdateToken } from '../models/update-token.ts'

/** How many credentials of each kind an account has that have not expired. */
export async function countWorkingCredentials(
  knex: Knex,
  userId: string,
  now: Date,
): Promise<WorkingCredentials> {
  // A key of a plan without API keys is refused today and works again with another plan, so it counts. The former secret
  // of a rotated key and the keys of a pipeline belong to what they came from.
  const keys = ApiKey.query(knex).modify('ownedBy', userId).modify('listed').modify('current', now)
  return {
    api_keys: await keys.resultSize(),
    update_tokens: await UpdateToken.query(knex).modify('ownedBy', userId).resultSize(),
    trust_policies: await TrustPolicy.query(knex).modify('ownedBy', userId).resultSize(),
    passkeys: await Passkey.query(knex).modify('ownedBy', userId).resultSize(),
  }
}

/**
 * Deletes all of them, expired ones too. What that means for signing in is left to the caller: `factorsChanged` where
 * the second factor was shown, and nothing where it was not, so that signing in still asks for one.
 *
 * @param trx with the account locked
 */
export async function revokeCredentials(trx: Knex.Transaction, userId: string): Promise<void> {
  await ApiKey.query(trx).delete().modify('ownedBy', userId)
  // Keys that pipelines got go with their policies.
  await TrustPolicy.query(trx).delete().modify('ownedBy', userId)
  await UpdateToken.query(trx).delete().modify('ownedBy', userId)
  await Passkey.query(trx).delete().modify('ownedBy', userId)
}
