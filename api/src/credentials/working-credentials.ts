/**
 * The credentials that work besides the password: API keys, update tokens, trusted pipelines and passkeys. A new
 * password does not revoke them, because routers and pipelines would stop working; instead the owner sees them, and can
 * revoke all of them at once.
 */
import type { WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { ApiKey } from '../models/api-key.ts'
import { DeletedDomain } from '../models/deleted-domain.ts'
import { Passkey } from '../models/passkey.ts'
import { TrustPolicy } from '../models/trust-policy.ts'
import { UpdateToken } from '../models/update-token.ts'

const NO_TOKEN = {
  token_prefix: null,
  token_digest: null,
  token_created_at: null,
  token_last_used_at: null,
  token_last_used_ip: null,
  token_last_client: null,
} as const

const KEEP_NO_TOKENS = `
  update zone_claims set kept = jsonb_set(kept, '{tokens}', '[]') where user_id = ? and kept is not null`

/** Counts the credentials of each kind that an account has and that have not expired, all at one moment. */
export async function countWorkingCredentials(
  knex: Knex,
  userId: string,
  now: Date,
): Promise<WorkingCredentials> {
  // Keys of a plan without API keys count: they are refused now, but work again after a change of plan. The former
  // secret of a rotated key counts with its key, and the keys of a pipeline count with their policy.
  const keys = ApiKey.query(knex).modify('ownedBy', userId).modify('listed').modify('current', now)
  const [row] = await knex.select<Record<keyof WorkingCredentials, string>[]>(
    keys.count().as('api_keys').toKnexQuery(),
    UpdateToken.query(knex).modify('ownedBy', userId).count().as('update_tokens').toKnexQuery(),
    TrustPolicy.query(knex).modify('ownedBy', userId).count().as('trust_policies').toKnexQuery(),
    Passkey.query(knex).modify('ownedBy', userId).count().as('passkeys').toKnexQuery(),
  )
  return {
    api_keys: Number(row?.api_keys),
    update_tokens: Number(row?.update_tokens),
    trust_policies: Number(row?.trust_policies),
    passkeys: Number(row?.passkeys),
  }
}

/**
 * Deletes all of them, including expired ones. The caller decides the effect on sign-in: call `factorsChanged` if the
 * second factor was shown; otherwise do nothing, and signing in still requires one.
 *
 * @param trx with the account locked
 */
export async function revokeCredentials(trx: Knex.Transaction, userId: string): Promise<void> {
  await ApiKey.query(trx).delete().modify('ownedBy', userId)
  // Keys that pipelines got are deleted with their policies.
  await TrustPolicy.query(trx).delete().modify('ownedBy', userId)
  await UpdateToken.query(trx).delete().modify('ownedBy', userId)
  // A restored domain would bring its token back, as would a zone that the account proves again.
  await DeletedDomain.query(trx).patch(NO_TOKEN).modify('ownedBy', userId)
  await query(trx, KEEP_NO_TOKENS, [userId])
  await Passkey.query(trx).delete().modify('ownedBy', userId)
}
